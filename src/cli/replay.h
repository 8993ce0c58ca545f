/*
 * `heddle replay` and `heddle report`: one execution again, or what was recorded of it.
 */
#ifndef HEDDLE_CLI_REPLAY_H
#define HEDDLE_CLI_REPLAY_H

/* The command, with the words after its name.  Returns an exit status. */
int replay_main(char **argv);

#endif
