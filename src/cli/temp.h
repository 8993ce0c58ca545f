/*
 * The private folder of this run, and what happens to it when a signal ends us.
 */
#ifndef HEDDLE_CLI_TEMP_H
#define HEDDLE_CLI_TEMP_H

/* The path of a new file of that name in the private folder, which is made when first asked for; NULL with a line for
 * the user on standard error.  Removed by temp_remove(). */
char *temp_file(const char *name);

/* Removes the files and the folder; safe in a signal handler. */
void temp_remove(void);

/* From now on a first SIGINT, SIGTERM or SIGHUP sets loop_interrupted, a second one removes the folder and ends heddle
 * with STATUS_LIMIT.  The folder is also removed at exit. */
void temp_watch_signals(void);

#endif
