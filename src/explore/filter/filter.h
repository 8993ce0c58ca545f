/*
 * State filters: which states of the search of --strategy filters are looked at, and what is run from them.  A filter is
 * a file here and a row in the table (table.c); the user chooses them by name and order (--filters).
 */
#ifndef HEDDLE_EXPLORE_FILTER_FILTER_H
#define HEDDLE_EXPLORE_FILTER_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "explore/config.h"

#define FILTER_MAX 8 /* in a chain */

/* A state, represented by the happens-before graph of what led to it. */
struct filter_state {
        uint64_t hash;  /* of that graph; equal for equivalent paths */
        uint32_t depth; /* transitions */
        bool known;     /* the hash is valid */
};

struct filter {
        const struct filter_ops *ops;
};

struct filter_ops {
        const char *name;
        struct filter *(*create)(const struct config *config); /* NULL: out of memory */
        /* A state that was reached.  1: go on from it; 0: nothing need be run from it; <0: out of memory. */
        int (*reached)(struct filter *f, const struct filter_state *s);
        /* A state that could be reached by one more transition: false if it need not. */
        bool (*wanted)(struct filter *f, const struct filter_state *s);
        void (*reset)(struct filter *f);
        void (*destroy)(struct filter *f);
};

extern const struct filter_ops filter_seen, filter_depth, filter_local_cycle;

/* The filter of this name, or NULL; and all names, with spaces between them. */
const struct filter_ops *filter_find(const char *name);
const char *filter_names(void);

#endif
