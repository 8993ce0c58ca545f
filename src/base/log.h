/*
 * What heddle does and why, reported on standard error under --verbose.
 */
#ifndef HEDDLE_BASE_LOG_H
#define HEDDLE_BASE_LOG_H

#include <stdbool.h>

/* Off until switched on, once, by the command line. */
void log_enable(bool on);

/* One line, "heddle: ...". */
void log_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
