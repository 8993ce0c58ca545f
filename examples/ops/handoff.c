/*
 * A hand-off: a semaphore that is 0 or 1.  give() waits until the last thing given was taken, take() until there is one.
 * Waiting takers are served in the order of their coming (HEDDLE_FIFO), as the hardware queue that it stands for does.
 *
 *     cc -shared -fPIC -Iinclude -o handoff.so handoff.c && heddle check --ops ./handoff.so handoff_test.c
 */
#include "handoff.h"

#include <heddle/op.h>

struct state {
        uint64_t full, value;
};

static bool is_empty(const void *state, const struct heddle_call *call)
{
        (void)call;
        return !((const struct state *)state)->full;
}

static bool is_full(const void *state, const struct heddle_call *call)
{
        (void)call;
        return ((const struct state *)state)->full;
}

static int64_t give(void *state, void *none, const struct heddle_call *call)
{
        (void)none;
        *(struct state *)state = (struct state){1, call->arg};
        return 0;
}

static int64_t take(void *state, void *none, const struct heddle_call *call)
{
        int64_t value = (int64_t)((struct state *)state)->value;

        (void)none, (void)call;
        *(struct state *)state = (struct state){0, 0};
        return value;
}

static const struct heddle_kind kind = {.name = "hand-off", .size = sizeof(struct state)};
static const struct heddle_op ops[] = {
        {.name = "give", .kind = &kind, .enabled = is_empty, .apply = give},
        {.name = "take", .kind = &kind, .enabled = is_full, .apply = take, .wakeup = HEDDLE_FIFO},
};
HEDDLE_PLUGIN("handoff", ops);

void handoff_give(struct handoff *h, int value)
{
        heddle_op_perform(&ops[0], h, NULL, (uint64_t)value);
}
int handoff_take(struct handoff *h)
{
        return (int)heddle_op_perform(&ops[1], h, NULL, 0);
}
