/* The command line of the comparers: options by a table. */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include <stdbool.h>

/* An option and where its value goes: one of the three.  A flag has no value. */
struct argument {
        const char *name;
        const char **text;
        int *number;
        bool *flag;
};

/* 0, or -1 when there is a word that is not an option of the list (which ends with a name of NULL), or a value is missing. */
int arguments_parse(const struct argument *list, int argc, char **argv);

#endif
