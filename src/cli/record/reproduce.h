/* `heddle reproduce`. */
#ifndef HEDDLE_CLI_RECORD_REPRODUCE_H
#define HEDDLE_CLI_RECORD_REPRODUCE_H

/* The words after the command.  The exit status. */
int reproduce_main(char **argv);

#endif
