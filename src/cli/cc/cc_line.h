/*
 * A compiler's command line, understood as far as instrumenting it needs.
 */
#ifndef HEDDLE_CLI_CC_CC_LINE_H
#define HEDDLE_CLI_CC_CC_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/list.h"

struct ccline {
        struct list words;   /* what is handed on: as given, without what ours takes the place of */
        bool compiles;       /* there is a source in C or C++, be it only to be preprocessed */
        bool preprocesses;   /* there is one that is not preprocessed yet */
        bool links;          /* a program or a shared object is made */
        bool intel;          /* -masm=intel */
        bool plain;          /* -fno-sanitize=thread: no hooks are wanted */
        const char *refused; /* why it cannot be done, and what to do; else NULL */
};

/* Is the file a source for `check`, by its ending: 1 C, 2 C++, 0 neither. */
int ccline_source(const char *file);

/* May the file be given with sources of `check`: an object, a library, assembly? */
bool ccline_beside(const char *file);

/* Reads `argv` (NULL-terminated, without the compiler's name). */
void ccline_parse(struct ccline *c, char **argv);

#endif
