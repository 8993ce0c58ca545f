/*
 * A lock that prefers readers: a writer goes only when no reader is in *or waits*.  So waiting must be part of the state:
 * read_lock() is two operations, one that says that a reader has come, and one that waits.  Outside heddle it is a
 * plain lock over pthreads.
 *
 *     cc -shared -fPIC -Iinclude -o rpref.so rpref.c && heddle check --ops ./rpref.so rpref_test.c
 */
#include "rpref.h"

#include <heddle/op.h>
#include <pthread.h>

struct state {
        uint32_t waiting, reading, writing;
};

static bool may_read(const void *state, const struct heddle_call *call)
{
        (void)call;
        return !((const struct state *)state)->writing;
}

static bool may_write(const void *state, const struct heddle_call *call)
{
        const struct state *s = state;

        (void)call;
        return !s->waiting && !s->reading && !s->writing;
}

enum { COME, READ_LOCK, READ_UNLOCK, WRITE_LOCK, WRITE_UNLOCK };

static int64_t apply(void *state, void *none, const struct heddle_call *call);

static const struct heddle_kind kind = {.name = "reader-preferred lock", .size = sizeof(struct state)};
static const struct heddle_op ops[] = {
        [COME] = {.name = "reader comes", .kind = &kind, .mode = HEDDLE_COMMUTE, .apply = apply},
        [READ_LOCK] = {.name = "read lock", .kind = &kind, .mode = HEDDLE_COMMUTE, .enabled = may_read, .apply = apply},
        [READ_UNLOCK] = {.name = "read unlock", .kind = &kind, .mode = HEDDLE_COMMUTE, .apply = apply},
        [WRITE_LOCK] = {.name = "write lock", .kind = &kind, .enabled = may_write, .apply = apply},
        [WRITE_UNLOCK] = {.name = "write unlock", .kind = &kind, .apply = apply},
};
HEDDLE_PLUGIN("rpref", ops);

static int64_t apply(void *state, void *none, const struct heddle_call *call)
{
        struct state *s = state;

        (void)none;
        switch (call->op - ops) {
        case COME: s->waiting++; break;
        case READ_LOCK: s->waiting--, s->reading++; break;
        case READ_UNLOCK: s->reading--; break;
        case WRITE_LOCK: s->writing = 1; break;
        case WRITE_UNLOCK: s->writing = 0; break;
        }
        return 0;
}

void rpref_read_lock(pthread_rwlock_t *l)
{
        if (!heddle_running()) {
                pthread_rwlock_rdlock(l);
                return;
        }
        heddle_op_perform(&ops[COME], l, NULL, 0);
        heddle_op_perform(&ops[READ_LOCK], l, NULL, 0);
}

void rpref_write_lock(pthread_rwlock_t *l)
{
        if (heddle_running())
                heddle_op_perform(&ops[WRITE_LOCK], l, NULL, 0);
        else
                pthread_rwlock_wrlock(l);
}

void rpref_unlock(pthread_rwlock_t *l, int write)
{
        if (heddle_running())
                heddle_op_perform(&ops[write ? WRITE_UNLOCK : READ_UNLOCK], l, NULL, 0);
        else
                pthread_rwlock_unlock(l);
}
