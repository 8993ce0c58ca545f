/*
 * A compiler's command line, understood as far as instrumenting it needs.
 */
#ifndef HEDDLE_CLI_CCLINE_H
#define HEDDLE_CLI_CCLINE_H

#include <stdbool.h>
#include <stddef.h>

enum ccline_kind {
        CCLINE_OPTION,   /* handed on; its value may be the word that follows, as an option too */
        CCLINE_LANGUAGE, /* -x and its value */
        CCLINE_OUTPUT,   /* -o and its value */
        CCLINE_SOURCE,   /* C or C++, by its ending or by -x */
        CCLINE_ASSEMBLY,
        CCLINE_LINKED, /* objects, archives, libraries: -l too, whose place among them matters */
};

struct ccline_word {
        const char *text;
        enum ccline_kind kind;
        const char *language; /* of a source: the -x in force, or NULL */
};

struct ccline {
        struct ccline_word *words;
        size_t n;
        size_t n_sources, n_inputs;
        bool compiles;  /* a source becomes code */
        bool links;     /* a program or a shared object is made */
        bool is_static; /* -static */
        bool stops;     /* -c, -S, -E, -M, -fsyntax-only: nothing is linked */
};

/* Is the file a source for `check`, by its ending: 1 C, 2 C++, 0 neither. */
int ccline_source(const char *file);

/* Reads `argv` (NULL-terminated, without the compiler's name). */
void ccline_parse(struct ccline *c, char **argv);

#endif
