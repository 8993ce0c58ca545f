/*
 * A program as instructions, for the model: an instruction that other threads can notice is one step.
 */
#ifndef ORACLE_CODE_H
#define ORACLE_CODE_H

#include "program.h"
#include "settings.h"

#define MAX_CODE 128

enum code {
        C_READ, C_WRITE, C_WRITE_SUM, C_ADD, C_XCHG, C_CAS, C_SPIN,
        C_LOCK, C_UNLOCK, C_TRYLOCK, C_LOCK_CHECKED, C_WAIT, C_RELOCK, C_SIGNAL, C_BROADCAST,
        C_FUTEX_WAIT, C_FUTEX_RETURN, C_FUTEX_WAKE, C_PIPE_WRITE, C_PIPE_READ, C_CANCEL, C_TESTCANCEL,
        C_SEM_WAIT, C_SEM_TRYWAIT, C_SEM_POST, C_SEM_VALUE, C_BOX, C_CHOOSE, C_RESULT, C_SPAWN, C_JOIN, C_RETURN,
        C_TIMEDLOCK, C_TWAIT, C_TRELOCK, C_SEM_TIMED, C_RD, C_WR, C_TRYRD, C_TRYWR, C_TIMEDRD, C_TIMEDWR, C_RWUNLOCK,
        C_SPINLOCK, C_SPINTRY, C_SPINUNLOCK, C_ARRIVE, C_LEAVE,
        C_CLAIM, C_TRYJOIN, C_TIMEDJOIN, C_DETACH, C_ROBUST, C_CONSISTENT, C_ROBUST_UNLOCK, C_ABANDON, C_POLL, C_REQUEUE,
        C_ATEXIT, C_POP, C_PEEK, C_REUSE, C_SLOT_READ, C_SLOT_WRITE, C_OLD_READ, C_OLD_FREE,
        C_LOCAL, /* from here on no other thread can notice */
        C_SEE = C_LOCAL, C_SEE_CONST, C_UNLESS, C_GOTO, C_FAIL_IF, C_ASSUME_NOT, C_ATOMIC, C_KEY, C_KEYED, C_LEFT, C_END
};

struct instruction {
        enum code code;
        struct place at, from;
        int obj, value, value2, target;
        bool glued; /* belongs to the step before it */
};

struct compiled {
        struct instruction code[MAX_THREADS][MAX_CODE];
        int n[MAX_THREADS];
        int thread; /* being compiled */
        int index;  /* of the program */
        bool glue;
        const struct program *p;
        const bool *drop;
        const struct settings *settings;
        bool known; /* false: something the model does not know */
};

void code_compile(struct compiled *c, const struct program *p, int index, const bool *drop);

#endif
