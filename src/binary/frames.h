/* Where functions begin and end, by the tables for unwinding (.eh_frame), which a module keeps when its symbols are stripped. */
#ifndef HEDDLE_BINARY_FRAMES_H
#define HEDDLE_BINARY_FRAMES_H

#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>

/* Calls f for each function; false: f has stopped it. */
bool frames_each(Elf *elf, bool (*f)(void *arg, uint64_t lo, uint64_t hi), void *arg);

#endif
