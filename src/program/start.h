/* The first start of the program, after which everything that must be known of it before main runs is known. */
#ifndef HEDDLE_PROGRAM_START_H
#define HEDDLE_PROGRAM_START_H

#include "program/program.h"

/* Starts the target and finds what options name: functions, variables, inline assembly, observed cells.  RUN_OK, RUN_INTR
 * or below 0. */
MUST_CHECK int program_start(struct program *p);

/* The same where a target is started again at other addresses: what is known by address is forgotten first. */
MUST_CHECK int program_start_moved(struct program *p);

#endif
