/*
 * What symbols.c, variables.c and observe.c share: the open modules and the strings that were handed out.
 */
#ifndef HEDDLE_BINARY_MODULES_H
#define HEDDLE_BINARY_MODULES_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/ptrmap.h"
#include "base/strbuf.h"
#include "wire/wire.h"

/* A global or static variable that has an address. */
struct variable {
        const char *name; /* in the DWARF of its module */
        uint64_t addr, size;
        Dwarf_Die type;
        bool external;
};

struct module {
        Dwfl_Module *dwfl;
        struct variable *vars; /* sorted by address, once `indexed` */
        uint32_t n_vars;
        bool indexed;
        struct sites *sites; /* NULL: not read yet */
};

/* The names of variables on stacks (locals.c). */
struct locals {
        struct ptrmap names; /* address to name, "" where it has been several */
        struct locals *old;  /* of executions checked before: their names may still be in use */
};

struct sites; /* the records of the instrumenter in a module (sites.c) */

/* Blocks of the heap of the execution at hand, by address, and what they are called (heap_names.c). */
struct heap_names {
        struct heap_name {
                struct wire_block block;
                Dwarf_Die type;   /* of its elements, if `typed` */
                const char *name; /* "node#2", "malloc@queue.c:40"; of the symbols */
                bool typed;
        } * blocks;
        uint32_t n;
        struct ptrmap numbers; /* name and number to the start of the block that is called so */
        struct ptrmap said;    /* address to what symbols_block() says; from a trace file */
        struct ptrmap strings; /* all that were handed out, by hash */
};

struct symbols {
        Dwfl *dwfl;
        struct module *modules; /* in the target's order: the program first */
        uint32_t n_modules;
        struct ptrmap frames; /* site to struct frames */
        struct ptrmap data;   /* address to name, "" for none */
        struct ptrmap functions;
        struct locals locals;
        struct heap_names heap;
        struct ptrmap expressions; /* site, twice, plus 1 for a write, to text, "" for none */
};

/* symbols.c: the compilation unit that pc is in, and what to subtract from pc there; NULL: none. */
Dwarf_Die *module_unit(Dwfl_Module *m, uint64_t pc, Dwarf_Addr *bias);

/* symbols.c: is it the runtime, whose names mean nothing to the user? */
bool module_is_runtime(Dwfl_Module *m);

/* variables.c: fills vars. */
void module_index(struct module *m);
void module_fini(struct module *m);
/* Appends the way from an object of this type to the offset in it: ".next[2]". */
void describe_part(struct strbuf *out, Dwarf_Die type, uint64_t offset);

/* sites.c: the record of kind `what` ('r', 'w' or 'a': an allocation) at the site, if all that may be meant say the same
 * text. */
struct site_record {
        char what;
        uint32_t line, column;
        uint32_t block;                     /* number of the basic block in its function */
        const char *file, *function, *text; /* "q->head"; of an allocation the type: "node" */
};
const struct site_record *sites_find(struct symbols *s, uint64_t site, char what);
void sites_destroy(struct sites *t);

/* heap_names.c */
const char *heap_names_find(struct symbols *s, uint64_t addr);
void heap_names_fini(struct heap_names *h);

/* locals.c */
const char *locals_find(const struct locals *l, uint64_t addr);
void locals_fini(struct locals *l);

/* By file, line, column and kind. */
int sites_compare(const struct site_record *a, const struct site_record *b);

#endif
