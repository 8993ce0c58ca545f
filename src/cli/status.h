/*
 * How heddle ends: the exit status is part of the contract.
 */
#ifndef HEDDLE_CLI_STATUS_H
#define HEDDLE_CLI_STATUS_H

enum status {
        STATUS_SAFE = 0,     /* everything in scope was explored, no failure */
        STATUS_FAILURE = 1,  /* a failure was found */
        STATUS_USAGE = 2,    /* the command line or an input is wrong */
        STATUS_INTERNAL = 3, /* heddle itself failed */
        STATUS_LIMIT = 4,    /* stopped at a limit, no failure so far */
};

/* Prints one line, "heddle: ...", on standard error.  Returns STATUS_USAGE. */
int status_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same for our own faults.  Returns STATUS_INTERNAL. */
int status_internal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same line for what the user should know; the status is another's. */
void status_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
