/* What programs are about, and how often each kind of operation is drawn. */
#ifndef ORACLE_WEIGHTS_H
#define ORACLE_WEIGHTS_H

#include "program.h"

enum theme { THEME_MEMORY, THEME_LOCK, THEME_COND, THEME_SEM, THEME_HEAP, THEME_MIX, THEME_CALL, THEME_RW,
             THEME_OTHER, THEME_CANCEL, THEME_SECTION, THEME_BLOCK, THEME_COUNT, THEME_EXIT = THEME_COUNT };

/* Weight of each kind in each theme, 0: never. */
static const uint8_t weights[K_COUNT][THEME_COUNT] = {
        /*               mem lock cond sem heap mix call rw other cancel section block */
        [K_READ]      = {10,  6,   4,   4,  3,   8,   4,  0,  6,  3, 4, 3},
        [K_WRITE]     = {10,  6,   4,   4,  3,   8,   7,  0,  6,  4, 5, 5},
        [K_INC]       = { 5,  4,   2,   2,  1,   4,   0, 0, 0, 0, 2, 3},
        [K_COPY]      = { 4,  1,   0,   1,  1,   2,   0},
        [K_MEMCPY]    = { 3,  0,   0,   0,  1,   1,   0},
        [K_LOAD]      = { 6,  1,   1,   2,  3,   4,   2,  0,  2,  1, 1, 0},
        [K_STORE]     = { 5,  1,   1,   2,  3,   4,   4,  0,  2,  3, 1, 2},
        [K_ADD]       = { 4,  1,   0,   2,  2,   3,   2,  0,  0,  1},
        [K_XCHG]      = { 4,  1,   0,   1,  1,   2,   0},
        [K_CAS]       = { 9,  1,   0,   1,  1,   4,   0,  0,  0,  1, 1, 1},
        [K_IF]        = { 5,  3,   1,   2,  2,   4,   2,  0,  0,  1, 1, 2},
        [K_LOCK]      = { 0, 26,   3,   0,  1,   6,   3,  0,  3,  3, 2, 9},
        [K_CROSS]     = { 0,  6,   0,   0,  0,   1,   0},
        [K_TRYLOCK]   = { 0, 12,   1,   0,  0,   4,   0, 0, 0, 0, 0, 2},
        [K_WAIT_LOOP] = { 0,  0,   0,   0,  0,   1,   0,  0,  0,  2, 0, 1},
        [K_WAIT_NAKED]= { 0,  0,   1,   0,  0,   1,   0,  0,  0,  3, 1, 4},
        [K_SIGNAL]    = { 0,  0,   6,   0,  0,   2,   0,  0,  0,  3, 1, 4},
        [K_BROADCAST] = { 0,  0,   2,   0,  0,   1,   0,  0,  0,  1, 1, 3},
        [K_SEM_WAIT]  = { 0,  0,   0,  14,  0,   3,   0,  0,  3,  11, 1, 7},
        [K_SEM_TRYWAIT]={ 0,  0,   0,   7,  0,   2,   0,  0,  0,  1, 0, 1},
        [K_SEM_POST]  = { 0,  0,   0,  14,  0,   4,   1,  0,  5,  9, 1, 9},
        [K_SEM_VALUE] = { 0,  0,   0,   3,  0,   1,   0},
        [K_PUT]       = { 0,  0,   0,   0,  8,   1,   0},
        [K_TAKE]      = { 0,  0,   0,   0,  9,   1,   0},
        [K_PEEK]      = { 0,  0,   0,   0,  6,   0,   0},
        [K_REUSE]     = { 0,  0,   0,   0,  4,   0,   0},
        [K_SWAP]      = { 0,  0,   0,   0, 22,   0,   0},
        [K_CHOOSE]    = { 2,  2,   2,   2,  1,   2,   1,  0,  0,  1, 2, 2},
        [K_CHOOSE_IF] = { 2,  2,   2,   2,  1,   2,   0, 0, 0, 0, 2, 2},
        [K_ASSUME]    = { 1,  1,   1,   1,  0,   2,   0},
        [K_ASSERT]    = { 1,  1,   1,   1,  1,   2,   1, 0, 0, 0, 1, 1},
        [K_ABORT_IF]  = { 1,  0,   0,   0,  0,   1,   0},
        [K_DEREF]     = { 0,  0,   0,   0,  1,   0,   0},
        [K_ATOMIC]    = { 2,  1,   0,   0,  0,   1,   0, 0, 0, 0, 26, 3},
        [K_ONCE]      = { 0,  1,   0,   0,  0,   1,   0},
        [K_YIELD]     = { 0,  1,   0,   0,  0,   1,   0},
        [K_FENCE]     = { 1,  0,   0,   0,  0,   0,   0},
        [K_SPIN]      = { 2,  0,   0,   0,  0,   2,   0},
        [K_EXIT]      = { 0,  1,   0,   0,  0,   1,   0},
        [K_FUTEX_WAIT]= { 0,  0,   0,   0,  0,   1,  12,  0,  9,  1},
        [K_FUTEX_WAKE]= { 0,  0,   0,   0,  0,   1,  14,  0,  7,  1},
        [K_PIPE_WRITE]= { 0,  0,   0,   0,  0,   1,  10,  0,  8,  7},
        [K_PIPE_READ] = { 0,  0,   0,   0,  0,   1,   9,  0,  4,  7},
        [K_CANCEL]    = { 0,  0,   6,   6,  0,   1,   9,  0,  0,  14},
        [K_TESTCANCEL]= { 0,  0,   0,   0,  0,   1,   6,  0,  0,  2},
        [K_TIMEDLOCK] = {0, 9, 1, 0, 0, 2, 0, 0},
        [K_TIMEDWAIT] = {0, 0, 3, 0, 0, 1, 0, 0,  0,  2, 1, 2},
        [K_SEM_TIMEDWAIT]={0, 0, 0, 7, 0, 1, 0, 0,  0,  2},
        [K_RDLOCK]    = {0, 0, 0, 0, 0, 1, 0, 20,  0,  1, 0, 26},
        [K_WRLOCK]    = {0, 0, 0, 0, 0, 1, 0, 14,  0,  1, 0, 14},
        [K_TRYRDLOCK] = {0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 2},
        [K_TRYWRLOCK] = {0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 2},
        [K_TIMEDRDLOCK]={0, 0, 0, 0, 0, 0, 0, 4},
        [K_TIMEDWRLOCK]={0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 1},
        [K_SPINLOCK]  = {0, 4, 0, 0, 0, 1, 0, 2},
        [K_SPINTRY]   = {0, 2, 0, 0, 0, 0, 0, 1},
        [K_BARRIER]   = {0, 1, 0, 3, 0, 2, 0, 4,  0,  1, 0, 5},
        [K_DETACH_SELF]={0, 0, 0, 0, 0, 0, 0, 0, 1},
        [K_ROBUST]    = {0, 0, 0, 0, 0, 0, 0, 0, 12,  1},
        [K_POLL]      = {0, 0, 0, 0, 0, 0, 0, 0, 8,  4},
        [K_REQUEUE]   = {0, 0, 0, 0, 0, 0, 0, 0, 8},
        [K_MALLOC]    = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0},
        [K_RWUNLOCK]  = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2},
};

static const uint8_t exit_weights[K_COUNT] = {
        [K_READ] = 4, [K_WRITE] = 6, [K_INC] = 3, [K_LOAD] = 1, [K_STORE] = 2, [K_ADD] = 1, [K_IF] = 3, [K_LOCK] = 12,
        [K_TRYLOCK] = 2, [K_SEM_WAIT] = 4, [K_SEM_POST] = 4, [K_ASSERT] = 3, [K_CHOOSE] = 1, [K_RDLOCK] = 2, [K_WRLOCK] = 2,
        [K_EXIT] = 2, [K_ATEXIT] = 14, [K_QUIT] = 8, [K_KEY] = 9,
};

#endif
