/* `heddle worker`: takes part in a search on many machines. */
#ifndef HEDDLE_CLI_MANY_WORKER_H
#define HEDDLE_CLI_MANY_WORKER_H

/* argv: the words after the command's name.  Returns the exit status. */
int worker_command(char **argv);

#endif
