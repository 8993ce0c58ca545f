/* `heddle static`: what depends on what. */
#ifndef HEDDLE_CLI_STATIC_H
#define HEDDLE_CLI_STATIC_H

#include "cli/install_paths.h"

/* The program that reads LLVM's IR (src/static), of the newest LLVM that there is one for, which reads the IR of older ones; or
 * NULL.  The path lives as long as the process. */
char *static_program(const struct place *place);

int static_main(char **argv);

#endif
