/*
 * Which accesses of a module's code no hook announces.  A compiler calls a hook right before each access that it instruments.
 * It leaves some out (widths that no hook has, structs passed or returned by value, reads before writes), and code that was
 * built without instrumentation has no hooks.
 */
#ifndef HEDDLE_BINARY_ANNOUNCED_H
#define HEDDLE_BINARY_ANNOUNCED_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

/* A hook that the module imports, by the address of the slot that it is called through. */
struct announced_hook {
        uint64_t slot;
        uint8_t reads, writes; /* bytes; ANNOUNCED_RANGE: any number */
};

#define ANNOUNCED_RANGE 255u

/* Memory that is never written. */
struct announced_constant {
        uint64_t lo, hi;
};

struct announced {
        VEC(struct announced_hook) hooks; /* by slot */
        VEC(struct announced_constant) constants;
        VEC(uint64_t) targets; /* of the jumps in the function at hand, by address */
        bool adjacent;         /* each access follows its hook (clang); else there may be another hook between (gcc) */
        bool transactions;     /* it calls what the instrumenter makes of xbegin */
        bool fixed;            /* addresses in the code are those at run time */
        bool hooked;           /* result of a scan: the function calls hooks */
        VEC(uint64_t) missing; /* ... the instructions whose accesses are not announced, by address */
};

/* Finds the hooks of an ELF file.  0, or -1: out of memory. */
int announced_init(struct announced *a, Elf *elf);
void announced_fini(struct announced *a);

/* Bytes of code of the module from this address on, and how many there are; NULL: there is none. */
typedef const uint8_t *announced_code(const void *arg, uint64_t addr, size_t *left);

/* Scans a function: fills `missing` and `hooked`.  Accesses to its own frame, to thread-local memory and to constants need no
 * hook.  0, or -1: out of memory. */
int announced_scan(struct announced *a, uint64_t lo, uint64_t hi, announced_code *code, const void *arg);

#endif
