/*
 * `heddle cc` and `heddle c++`: the machine's compiler plus instrumentation.
 */
#ifndef HEDDLE_CLI_CC_CC_H
#define HEDDLE_CLI_CC_CC_H

#include <stdbool.h>

#include "cli/list.h"
#include "cli/install_paths.h"

/* The command, with the words after its name.  Returns the compiler's exit status. */
int cc_main(bool cxx, char **argv);

/* Compiles sources to an instrumented program for `check`.  `compiler` as in --compiler, NULL: chosen.  Returns 0, or
 * an exit status after the compiler, or we, said on standard error what is wrong. */
int cc_program(const char *compiler, const struct list *flags, const struct list *sources, const struct list *libraries,
               bool keep_ir, const char *program);

/* The instrumenter that was built for the version of this clang, with or without the recording of paths: its path, or NULL. */
char *cc_instrumenter(const char *compiler, const struct place *place, bool record);

#endif
