/* `heddle cluster`: watches a search on many machines. */
#ifndef HEDDLE_CLI_MANY_CLUSTER_H
#define HEDDLE_CLI_MANY_CLUSTER_H

/* argv: the words after the command's name.  Returns the exit status. */
int cluster_command(char **argv);

#endif
