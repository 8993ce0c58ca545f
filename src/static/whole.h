/* Is the IR that of the whole program? */
#ifndef HEDDLE_STATIC_WHOLE_H
#define HEDDLE_STATIC_WHOLE_H

#include <libelf.h>
#include <llvm-c/Core.h>
#include <stdbool.h>

#include "static/name_set.h"

/* Names are those before linking, which renames; functions are sorted when whole_find() is called. */
struct whole {
        struct name_set functions,
                strong;           /* that the modules define, and those of them that no other object may replace */
        struct name_set exported; /* symbols that shared libraries may use */
        bool foreign;             /* there are functions without IR, or calls that do not go where the IR says */
        char foreign_name[80];    /* ... one of them */
};

/* Compares the modules, which are linked into one, with the symbols of the program. */
void whole_find(struct whole *w, LLVMModuleRef linked, Elf *elf);
void whole_fini(struct whole *w);

#endif
