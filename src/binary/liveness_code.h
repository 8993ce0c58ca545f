/* The code of a function, and what its calls lead to: the input of liveness.h. */
#ifndef HEDDLE_BINARY_LIVENESS_CODE_H
#define HEDDLE_BINARY_LIVENESS_CODE_H

#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>

enum liveness_call {
        LIVENESS_ANY,   /* anything that gets its arguments as the ABI says */
        LIVENESS_HOOK,  /* of the runtime: it keeps no pointer, and reads no memory of the frame ... */
        LIVENESS_KEEPS, /* it keeps all registers */
        LIVENESS_CAS,   /* ... but *rsi, of so many bytes, which it may also write */
        LIVENESS_RETURNS_TWICE,
};

/* A variable in the frame, as offsets from the stack pointer at entry, or from a register after the prologue. */
enum liveness_base { LIVENESS_ENTRY, LIVENESS_RBP, LIVENESS_RSP };
struct liveness_object {
        int32_t lo, hi;
        enum liveness_base base;
        bool array;
};

/* A function of a module. */
struct liveness_code {
        uint64_t lo, hi;      /* as in the file */
        const uint8_t *bytes; /* hi - lo of them */
        /* What the call or jump through this slot of the global offset table, or the one that the code at this address jumps
         * through, leads to. */
        enum liveness_call (*call)(const void *arg, uint64_t target, uint64_t slot, uint32_t *size);
        const void *arg;
        struct liveness_object *objects; /* some or all of its variables */
        uint32_t n_objects;
};

/* The variables of the function that are known, at most `room`.  (liveness_objects.c) */
uint32_t liveness_objects(Elf *elf, const struct liveness_code *f, struct liveness_object *out, uint32_t room);

#endif
