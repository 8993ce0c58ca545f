/*
 * `heddle completion bash` and `heddle completion zsh`: what a shell needs to complete our command lines.
 */
#ifndef HEDDLE_CLI_COMPLETION_H
#define HEDDLE_CLI_COMPLETION_H

/* argv begins behind the command's name.  Returns the exit status. */
int completion_main(char **argv);

#endif
