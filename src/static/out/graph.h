/*
 * The dependence graph: sites of the source, and edges between them.  An edge from a to b says that b depends on a.
 */
#ifndef HEDDLE_STATIC_OUT_GRAPH_H
#define HEDDLE_STATIC_OUT_GRAPH_H

#include "static/relevance.h"

enum site_kind {
        SITE_READ,
        SITE_WRITE,
        SITE_UPDATE,
        SITE_COPY,
        SITE_SET,
        SITE_CALL,
        SITE_BRANCH,
        SITE_PARAMETER,
        SITE_RETURN,
        SITE_FUNCTION,
        SITE_KINDS
};

struct site {
        LLVMValueRef value; /* instruction, parameter or function */
        uint32_t function;
        uint32_t access; /* or UINT32_MAX */
        uint32_t line, column;
        const char *file; /* its last part; not a string, see `length` */
        uint32_t length;
        uint8_t kind;
        bool private, relevant;
};

struct edge {
        uint32_t from, to;
        uint8_t kind; /* enum edge_kind */
};

struct graph {
        struct relevance *relevance;
        struct program *program;
        VEC(struct site) sites;
        VEC(struct edge) edges;
        struct ptrmap of; /* value -> site + 1 */
        uint64_t omitted; /* edges through memory, of objects that have too many */
};

/* The sites alone; with edges: after graph_connect(). */
void graph_init(struct graph *g, struct relevance *r);
void graph_connect(struct graph *g);
void graph_fini(struct graph *g);

const char *graph_kind_name(enum site_kind kind);
/* The variable that an access goes to, for people: "" if there are several. */
void graph_object(const struct graph *g, const struct site *s, char *text, size_t room);

#endif
