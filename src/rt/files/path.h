/*
 * Paths of the program, followed through the names that executions changed and those of the machine.
 */
#ifndef HEDDLE_RT_FILES_PATH_H
#define HEDDLE_RT_FILES_PATH_H

#include <stdbool.h>

#define PATH_SIZE 4096

/* Where a path leads. */
struct place {
        char path[PATH_SIZE]; /* canonical; the root is empty */
        char real
                [PATH_SIZE]; /* where the machine has it, or would have it; empty: the directory is not the machine's */
        int node;            /* -1: it is the machine's, or absent */
        bool absent;         /* its directory exists, it does not */
        bool opaque;         /* in /proc, /sys or /dev: `real` is to be used as it is */
        bool slash;          /* the path ends with one */
};

#pragma GCC visibility push(hidden)

/* 0, or an error number: then the place does not exist.  follow: a symbolic link at its end, too.  `path` is the program's. */
long path_resolve(int dirfd, const char *path, bool follow, struct place *p);

/* Where the machine has it: for system calls. */
static inline const char *path_machine(const struct place *p)
{
        return p->real[0] ? p->real : "/";
}

/* The directory that the place is in. */
void path_parent(const struct place *p, struct place *parent);

/* The working directory, where it is not the kernel's; NULL: it is. */
const char *path_directory(void);
void path_set_directory(const char *path);

/* For the snapshot. */
void path_save(void);
void path_restore(void);

#pragma GCC visibility pop

#endif
