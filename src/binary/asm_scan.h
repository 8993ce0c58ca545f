/*
 * Accesses and fences in the code of a module that no compiler announces: inline assembly and intrinsics, code that is not
 * instrumented, and what the instrumentation leaves out (binary/announced.h).
 */
#ifndef HEDDLE_BINARY_ASM_SCAN_H
#define HEDDLE_BINARY_ASM_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "binary/x86.h"
#include "wire/wire.h"

struct locked {
        bool known;    /* the runtime can perform it, or tell when it is executed (WIRE_LOCKED_UNSEEN) */
        bool assembly; /* else: code of a compiler that announces it by no hook */
        struct wire_locked at;
        char name[X86_NAME]; /* the instruction */
};

/* An ELF file, loaded with this bias. */
struct locked_module {
        const char *path;
        uint64_t base;
        bool foreign; /* its accesses are not watched, so code between functions does not matter ... */
        const uint64_t
                *touched; /* ... and these instructions, by their ends, access words that locked ones update; sorted */
        uint32_t n_touched;
};

/* Calls f for each one in its functions, by address.  A file that cannot be read has none.  `stripped`: which code is inline
 * assembly was known once, and is not any longer.  0, or -1 when out of memory. */
int locked_find(const struct locked_module *m, bool *stripped, void (*f)(void *arg, const struct locked *l), void *arg);

#endif
