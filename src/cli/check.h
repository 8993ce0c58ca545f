/*
 * `heddle check`: explore a program.
 */
#ifndef HEDDLE_CLI_CHECK_H
#define HEDDLE_CLI_CHECK_H

/* The command, with the words after its name.  Returns an exit status. */
int check_main(char **argv);

#endif
