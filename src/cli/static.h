/* `heddle static`: what depends on what. */
#ifndef HEDDLE_CLI_STATIC_H
#define HEDDLE_CLI_STATIC_H

#include "cli/install_paths.h"
#include "cli/list.h"
#include "config/config.h"

/* The program that reads LLVM's IR (src/static), of the newest LLVM that there is one for, which reads the IR of older ones; or
 * NULL.  The path lives as long as the process. */
char *static_program(const struct place *place);

/* --static: sets the command that lists what nothing depends on (config.analyser).  0, or a status. */
int static_choose(struct config *config, const struct place *place);

int static_main(char **argv);

#endif
