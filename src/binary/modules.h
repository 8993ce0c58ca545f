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
};

/* The names of variables on stacks (locals.c). */
struct locals {
        struct ptrmap names; /* address to name, "" where it has been several */
        struct locals *old;  /* of executions looked at before: their names may still be in use */
};

struct symbols {
        Dwfl *dwfl;
        struct module *modules; /* in the target's order: the program first */
        uint32_t n_modules;
        struct ptrmap frames; /* site to struct frames */
        struct ptrmap data;   /* address to name, "" for none */
        struct ptrmap functions;
        struct locals locals;
        char *(*demangle)(const char *, char *, size_t *, int *);
        void *cxx; /* the library that demangle comes from */
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

/* locals.c */
const char *locals_find(const struct locals *l, uint64_t addr);
void locals_fini(struct locals *l);

#endif
