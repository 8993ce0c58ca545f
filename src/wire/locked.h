/* Instructions that are operations and that no compiler announces: found by the explorer, performed by the target. */
#ifndef HEDDLE_WIRE_LOCKED_H
#define HEDDLE_WIRE_LOCKED_H

#include <stdint.h>

/* What an instruction does that accesses memory, or orders accesses, and that no compiler announces: inline assembly, and
 * modules that were not built by heddle cc.
 * PAIR: cmpxchg8b and cmpxchg16b.  From LOAD on the instruction is announced, and runs itself afterwards. */
enum wire_locked_kind {
        WIRE_LOCKED_FENCE,
        WIRE_LOCKED_STORE_FENCE,
        WIRE_LOCKED_XCHG,
        WIRE_LOCKED_CMPXCHG,
        WIRE_LOCKED_PAIR,
        WIRE_LOCKED_XADD,
        WIRE_LOCKED_ADD,
        WIRE_LOCKED_SUB,
        WIRE_LOCKED_AND,
        WIRE_LOCKED_OR,
        WIRE_LOCKED_XOR,
        WIRE_LOCKED_INC,
        WIRE_LOCKED_DEC,
        WIRE_LOCKED_NOT,
        WIRE_LOCKED_BTS,
        WIRE_LOCKED_BTR,
        WIRE_LOCKED_BTC,
        WIRE_LOCKED_SYSCALL,
        WIRE_LOCKED_XBEGIN, /* it aborts to address `immediate` */
        WIRE_LOCKED_XEND,
        WIRE_LOCKED_XABORT, /* with code `immediate` */
        WIRE_LOCKED_XTEST,
        WIRE_LOCKED_CLOCK, /* rdtsc, rdtscp */
        WIRE_LOCKED_PAUSE, /* of modules whose accesses are not watched: a loop waits */
        WIRE_LOCKED_LOAD,
        WIRE_LOCKED_STORE,
        WIRE_LOCKED_UPDATE, /* a load, then a store */
        WIRE_LOCKED_ATOMIC, /* an atomic update that is none of those above */
        WIRE_LOCKED_FILL,   /* stos */
        WIRE_LOCKED_COPY,   /* movs */
        WIRE_LOCKED_ABORTS, /* cpuid, pause: a transaction aborts; nothing else */
        WIRE_LOCKED_UNSEEN, /* it is not understood: text `immediate` of `unseen` */
        WIRE_LOCKED_OUTPUT, /* a slot: the call prints to a C++ stream (enum wire_output in `source`); a buffer of the class
                               with the table `immediate` is synchronised */
};

/* How a function of the C++ library uses a stream. */
enum wire_output {
        WIRE_OUTPUT_NOT,    /* it does not */
        WIRE_OUTPUT_VALUE,  /* it prints to its first argument: a value, or text that libc functions read */
        WIRE_OUTPUT_STRING, /* ... the std::string that is its second argument */
        WIRE_OUTPUT_TAKE,   /* it returns what was printed to its second argument */
        WIRE_OUTPUT_BUFFER, /* ... which is not the stream but its buffer */
};

/* Registers by their numbers in x86-64 instructions; from HIGH on, the second byte of the first four. */
#define WIRE_LOCKED_STACK 4u
#define WIRE_LOCKED_HIGH  16u
#define WIRE_LOCKED_NONE  0xffu

/* One such instruction.  The memory that it updates is at offset + base + index * scale. */
struct wire_locked {
        uint64_t addr;     /* where it is */
        int64_t offset;    /* ... with the place of the instruction, if that counts */
        int64_t immediate; /* the other operand, if `source` is none */
        uint16_t size;     /* of the memory; FILL, COPY: of an element */
        uint8_t kind;      /* enum wire_locked_kind */
        uint8_t length;
        uint8_t base, index, scale;
        uint8_t source; /* the other operand, a register */
        uint8_t fence;  /* it changes nothing, on the stack: it is used as a fence */
        /* So many bytes, at least 5, may be overwritten, those of the instruction and `before` it among them: whole
         * instructions that can run elsewhere; 0: none.  `fix` of these, four bytes from there on are relative to the place
         * of the instruction that they end; 0: none. */
        uint8_t span, before, fix;
        uint8_t bits;    /* `source` is the number of a bit, counted from that memory on */
        uint8_t repeats; /* FILL, COPY: as often as a register says */
        uint8_t local;   /* the address is one in the memory of the thread (fs) */
        uint8_t writes;  /* UNSEEN: it may write */
        uint8_t slot; /* UNSEEN, OUTPUT: `addr` is a slot of the global offset table, and what is noticed is a call through it */
        uint8_t compared; /* XBEGIN: all that the program does with the status is to compare it with _XBEGIN_STARTED */
        uint8_t plain;    /* compiled from a plain access: it neither acquires nor releases */
        uint16_t
                foreign; /* of a module whose plain accesses are not watched: text `foreign` - 1 of `unseen` names it; 0: no */
};

#endif
