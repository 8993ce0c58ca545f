/* See users.h. */
#include "strategy/mcr/users.h"

#include "op/records.h"
#include "op/user.h"

/* In the result of an operation that waits in a queue. */
#define QUEUED UINT64_C(0x71c3a9f05be2846d)

static struct op_label label_of(const struct node *n, uint64_t state)
{
        return (struct op_label){.state = (uint32_t)state, .op = n->op, .role = (uint8_t)n->mask, .arg = n->value};
}

bool users_node(struct tries *t, uint64_t obj, uint64_t label, struct node *out)
{
        struct op_label l = op_user_read(label);
        const struct heddle_op *op = op_user_op(l.op);
        uint64_t state = records_own(l.state);

        if (!op || !state || (op->kind2 && op->wakeup != HEDDLE_ARBITRARY))
                return false;
        out->kind = NODE_USER;
        out->cell = tries_cell_make(t, CELL_OBJECT, obj, state);
        out->value = l.arg;
        out->mask = l.role;
        return true;
}

bool users_second(const struct wire_event *e)
{
        return e->op >= OP_USER && op_user_read(e->value).role == OP_ROLE_SECOND;
}

bool users_event(struct tries *t, const struct trace *trace, uint32_t i, struct node *out)
{
        const struct wire_event *e = &trace->events[i], *second = e + 1;
        const struct heddle_op *op = op_user_op(e->op);
        uint64_t state;

        if (!users_node(t, e->obj, e->value, out))
                return false;
        if (!op->kind2)
                return true;
        if (i + 1 >= trace->n_events || second->actor != e->actor || !users_second(second))
                return false;
        state = records_own(op_user_state_of(second->value));
        out->moved = tries_cell_make(t, CELL_OBJECT, second->obj, state);
        return state != 0;
}

bool users_agree(const uint64_t *now, const struct node *n, const struct wire_event *e, uint64_t result)
{
        struct op_label l = op_user_read(e->value);

        return now[n->cell] == records_own(l.state) && (uint64_t)l.result == (result == QUEUED ? 0 : result);
}

bool users_turn(const struct tries *t, const struct node *n)
{
        return n->result == QUEUED && t->nodes.at[n->parent].kind == NODE_USER;
}

bool users_enabled(const uint64_t *now, const struct node *n, uint32_t thread)
{
        struct op_label l = label_of(n, now[n->cell]);

        return op_user_may(&l, thread, now[n->cell]);
}

static uint64_t perform(const uint64_t *now, const struct node *n, uint32_t thread, uint64_t *state, uint64_t *second)
{
        struct op_label l = label_of(n, now[n->cell]);
        bool queued;
        int64_t result;

        *state = now[n->cell];
        *second = n->moved ? now[n->moved] : 0;
        result = op_user_do(&l, thread, state, n->moved ? second : NULL, &queued);
        *state = records_own(*state);
        *second = records_own(*second);
        return queued ? QUEUED : (uint64_t)result;
}

uint64_t users_result(const uint64_t *now, const struct node *n, uint32_t thread)
{
        uint64_t state, second;

        return perform(now, n, thread, &state, &second);
}

void users_do(const uint64_t *now, const struct node *n, uint32_t thread, waiters_set *set, void *arg)
{
        uint64_t state, second;

        perform(now, n, thread, &state, &second);
        set(arg, n->cell, state);
        if (n->moved)
                set(arg, n->moved, second);
}
