/*
 * Is a file a program that can be checked?
 */
#ifndef HEDDLE_CLI_BINARY_H
#define HEDDLE_CLI_BINARY_H

#include <stdbool.h>

/* 0, or -1 with the reason in `why`, which names the file and says what to do. */
int binary_check(const char *path, char why[512]);

/* Was it compiled with instrumentation of its memory accesses? */
bool binary_instrumented(const char *path);

#endif
