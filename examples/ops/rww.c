/*
 * Many readers and two writers: a lock for code that has exactly two places that write.  Each writer has a lock of its
 * own that is free when no thread reads and the other writer is out.  As one primitive it costs one step; built from a
 * mutex and condition variables it costs a dozen, and every order of those is explored.
 *
 *     cc -shared -fPIC -Iinclude -o rww.so rww.c && heddle check --ops ./rww.so rww_test.c
 */
#include "rww.h"

#include <heddle/op.h>

struct state {
        uint32_t readers;
        uint32_t writing; /* 0, or the writer, 1 or 2 */
};

static bool may_read(const void *state, const struct heddle_call *call)
{
        (void)call;
        return ((const struct state *)state)->writing == 0;
}

static bool may_write(const void *state, const struct heddle_call *call)
{
        const struct state *s = state;

        (void)call;
        return s->readers == 0 && s->writing == 0;
}

static int64_t read_lock(void *state, void *none, const struct heddle_call *call)
{
        (void)none, (void)call;
        ((struct state *)state)->readers++;
        return 0;
}

static int64_t read_unlock(void *state, void *none, const struct heddle_call *call)
{
        (void)none, (void)call;
        ((struct state *)state)->readers--;
        return 0;
}

static int64_t write_lock(void *state, void *none, const struct heddle_call *call)
{
        (void)none;
        ((struct state *)state)->writing = (uint32_t)call->arg;
        return 0;
}

static int64_t write_unlock(void *state, void *none, const struct heddle_call *call)
{
        (void)none, (void)call;
        ((struct state *)state)->writing = 0;
        return 0;
}

static void print(char *text, size_t n, const void *state)
{
        const struct state *s = state;

        snprintf(text, n, "%u readers, writer %u", s->readers, s->writing);
}

static const struct heddle_kind kind = {.name = "rww lock", .size = sizeof(struct state), .print = print};
enum { READ_LOCK, READ_UNLOCK, WRITE_LOCK, WRITE_UNLOCK };
static const struct heddle_op ops[] = {
        /* Readers come and go in any order: no thread can tell. */
        {.name = "read lock", .kind = &kind, .mode = HEDDLE_COMMUTE, .enabled = may_read, .apply = read_lock},
        {.name = "read unlock", .kind = &kind, .mode = HEDDLE_COMMUTE, .apply = read_unlock},
        {.name = "write lock", .kind = &kind, .enabled = may_write, .apply = write_lock},
        {.name = "write unlock", .kind = &kind, .apply = write_unlock},
};
HEDDLE_PLUGIN("rww", ops);

void rww_read_lock(struct rww *l)
{
        heddle_op_perform(&ops[READ_LOCK], l, NULL, 0);
}
void rww_read_unlock(struct rww *l)
{
        heddle_op_perform(&ops[READ_UNLOCK], l, NULL, 0);
}
void rww_write_lock(struct rww *l, int writer)
{
        heddle_op_perform(&ops[WRITE_LOCK], l, NULL, (uint64_t)writer);
}
void rww_write_unlock(struct rww *l)
{
        heddle_op_perform(&ops[WRITE_UNLOCK], l, NULL, 0);
}
