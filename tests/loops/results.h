/* Loops that keep what they have read in a variable, which is used behind them or by the next round. */
#ifndef LOOPS_RESULTS_H
#define LOOPS_RESULTS_H

#include <stdint.h>

void remembers(uint32_t x, uint32_t k, uint32_t y);
void attempts(uint32_t x, uint32_t k, uint32_t y);
void keeps(uint32_t x, uint32_t k, uint32_t y, uint32_t j, uint32_t how);

#endif
