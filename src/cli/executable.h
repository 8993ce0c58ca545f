/*
 * Is a file a program that can be checked?
 */
#ifndef HEDDLE_CLI_EXECUTABLE_H
#define HEDDLE_CLI_EXECUTABLE_H

#include "base/error.h"

#include <stdbool.h>

/* 0, or -1 with the reason in `why`, which names the file and says what to do. */
MUST_CHECK int binary_check(const char *path, struct error *why);

/* Did gcc compile it, and clang nothing of it?  As far as the compilers left their names in it. */
bool binary_by_gcc(const char *path);

/* Was it, or a library that it needs, compiled with instrumentation of its memory accesses? */
bool binary_instrumented(const char *path);

/* The shared runtime of ThreadSanitizer that it needs, or NULL.  `why` is empty, or says that a sanitizer keeps it from
 * being checked, and what to do. */
const char *binary_sanitizer(const char *path, struct error *why);

#endif
