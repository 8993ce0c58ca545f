/* Runs commands and reads what they wrote; shared by the comparers of random programs. */
#ifndef COMMAND_H
#define COMMAND_H

/* Runs a command with its output going to `out` (NULL: nowhere) and errors to `err`; its exit status, -1 if it could
 * not be run, was killed, or was stopped after `seconds`. */
int command_run(char *const argv[], const char *out, const char *err, int seconds);

/* The text of a file, NULL when there is none; freed by the caller. */
char *command_read(const char *path);

#endif
