/*
 * A bounded channel of numbers.  send() waits while it is full, receive() while it is empty, move() passes an item from
 * one channel to another in one step (an operation on two objects).
 *
 *     cc -shared -fPIC -Iinclude -o channel.so channel.c && heddle check --ops ./channel.so channel_test.c
 */
#include "channel.h"

#include <heddle/op.h>
#include <string.h>

struct state {
        uint32_t n;
        int32_t item[CHANNEL_ROOM];
};

static bool has_room(const void *state, const struct heddle_call *call)
{
        (void)call;
        return ((const struct state *)state)->n < CHANNEL_ROOM;
}

static bool has_item(const void *state, const struct heddle_call *call)
{
        (void)call;
        return ((const struct state *)state)->n > 0;
}

static int64_t send(void *state, void *none, const struct heddle_call *call)
{
        struct state *s = state;

        (void)none;
        s->item[s->n++] = (int32_t)call->arg;
        return 0;
}

static int64_t receive(void *state, void *none, const struct heddle_call *call)
{
        struct state *s = state;
        int32_t first = s->item[0];

        (void)none, (void)call;
        memmove(&s->item[0], &s->item[1], sizeof s->item - sizeof s->item[0]);
        s->item[--s->n] = 0;
        return first;
}

/* From the first to the second; -1 if that is full. */
static int64_t move(void *from, void *to, const struct heddle_call *call)
{
        struct heddle_call put = *call;

        if (((struct state *)to)->n == CHANNEL_ROOM)
                return -1;
        put.arg = (uint64_t)receive(from, NULL, call);
        return send(to, NULL, &put);
}

static void print(char *text, size_t n, const void *state)
{
        snprintf(text, n, "%u of %d items", ((const struct state *)state)->n, CHANNEL_ROOM);
}

static const struct heddle_kind kind = {.name = "channel", .size = sizeof(struct state), .print = print};
static const struct heddle_op ops[] = {
        {.name = "send", .kind = &kind, .enabled = has_room, .apply = send},
        {.name = "receive", .kind = &kind, .enabled = has_item, .apply = receive},
        {.name = "move", .kind = &kind, .kind2 = &kind, .enabled = has_item, .apply = move},
};
HEDDLE_PLUGIN("channel", ops);

void channel_send(struct channel *c, int item)
{
        heddle_op_perform(&ops[0], c, NULL, (uint64_t)(uint32_t)item);
}
int channel_receive(struct channel *c)
{
        return (int)heddle_op_perform(&ops[1], c, NULL, 0);
}
int channel_move(struct channel *from, struct channel *to)
{
        return (int)heddle_op_perform(&ops[2], from, to, 0);
}
