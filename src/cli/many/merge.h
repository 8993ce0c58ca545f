/* `heddle merge`: the verdict of shards put together. */
#ifndef HEDDLE_CLI_MANY_MERGE_H
#define HEDDLE_CLI_MANY_MERGE_H

/* argv: the words after the command's name.  Returns the exit status. */
int merge_main(char **argv);

#endif
