/* The code of x86-64, as far as inline assembly needs it (binary/asm_scan.h). */
#ifndef HEDDLE_BINARY_X86_H
#define HEDDLE_BINARY_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/wire.h"

enum x86_kind {
        X86_PLAIN,   /* nothing that matters here */
        X86_KNOWN,   /* an access or fence that the runtime can perform or announce */
        X86_UNKNOWN, /* one that it can only tell of */
};

#define X86_NAME       32 /* "lock cmpxchg16b" */
#define X86_JUMP       5  /* bytes of a jump */
#define X86_TRAP       2  /* ... of ud2 */
#define X86_MAX_UPDATE 64 /* bytes of memory that one instruction updates */

/* Looks at the instruction at `code`, which the program has at `addr`, inside inline assembly or not: elsewhere loads and
 * stores are those of the compiler, which announces them.  The result is its length, 0 if there is none.  X86_KNOWN and
 * X86_UNKNOWN fill `at` and `name`. */
size_t x86_look(const uint8_t *code, size_t size, uint64_t addr, bool inside, enum x86_kind *kind,
                struct wire_locked *at, char name[X86_NAME]);

/* How an instruction continues, and whether it does the same at another place. */
struct x86_flow {
        size_t length;   /* 0: there is none */
        uint64_t target; /* of a jump or call; 0: it is none, or ... */
        bool computed;   /* ... a jump to what is computed */
        bool movable;    /* the next one follows, and its place does not matter but for: */
        uint8_t fix;     /* the offset of four bytes of it that are relative to its end; 0: none */
};

struct x86_flow x86_follow(const uint8_t *code, size_t size, uint64_t addr);

#endif
