/*
 * The assembler, for the compilers that `heddle cc` starts: inline assembly is marked in what it makes.
 */
#ifndef HEDDLE_CLI_CC_ASSEMBLER_H
#define HEDDLE_CLI_CC_ASSEMBLER_H

/* Does what `as` does with these words, which are without a name before them; the result is an exit status. */
int assembler_main(char **argv);

#endif
