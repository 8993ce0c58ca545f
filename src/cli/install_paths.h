/*
 * Where heddle's own files are, seen from the running program.
 */
#ifndef HEDDLE_CLI_INSTALL_PATHS_H
#define HEDDLE_CLI_INSTALL_PATHS_H

#include <stdbool.h>

struct place {
        char *runtime; /* libheddle-rt.so, absolute */
        char *lib;     /* its folder */
        char *include; /* the folder of heddle/heddle.h */
};

/* Is it a file that can be started? */
bool place_is_program(const char *path);

/* 0, or -1 with a line for the user on standard error: the installation is not whole. */
int place_find(struct place *p);

/* Where programs are looked for: PATH, or what execvp() takes where there is none. */
const char *place_search_path(void);

#endif
