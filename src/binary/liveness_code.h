/* The code of a function, and what its calls lead to: the input of liveness.h. */
#ifndef HEDDLE_BINARY_LIVENESS_CODE_H
#define HEDDLE_BINARY_LIVENESS_CODE_H

#include <stdint.h>

enum liveness_call {
        LIVENESS_ANY,  /* anything that gets its arguments as the ABI says */
        LIVENESS_HOOK, /* of the runtime: it keeps no pointer, and reads no memory of the frame ... */
        LIVENESS_CAS,  /* ... but *rsi, of so many bytes, which it may also write */
        LIVENESS_RETURNS_TWICE,
};

/* A function of a module. */
struct liveness_code {
        uint64_t lo, hi;      /* as in the file */
        const uint8_t *bytes; /* hi - lo of them */
        /* What the call or jump through this slot of the global offset table, or the one that the code at this address jumps
         * through, leads to. */
        enum liveness_call (*call)(const void *arg, uint64_t target, uint64_t slot, uint32_t *size);
        const void *arg;
};

#endif
