/* Functions that the analysis knows by their names (calls.def). */
#ifndef HEDDLE_STATIC_CALLS_H
#define HEDDLE_STATIC_CALLS_H

struct known_call {
        const char *name;
        char result;           /* see calls.def */
        const char *arguments; /* the letter of the last one is for all that follow */
};

/* NULL: not known. */
const struct known_call *calls_find(const char *name);
/* The letter of an argument. */
char calls_letter(const struct known_call *c, unsigned argument);

#endif
