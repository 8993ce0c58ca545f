/*
 * --check-ops: what a plugin declares is tested on the states and calls that the exploration meets.
 *
 * For each kind the distinct states and calls (operation, argument, thread) are collected.  Each call is tried in each
 * state, and each two calls of different threads after each other in each state, once.  Tested is what the reduction
 * relies on: `enabled` changes nothing and answers the same; `apply` is a function of its arguments; a read leaves the
 * state as it is; `dependent` is symmetric; and two calls that come one after the other without being dependent, by
 * their modes or by `dependent`, could have come in the other order with the same results and the same state.
 *
 * Not covered: operations on two objects and kinds with wakeup policies, whose operations are always dependent.
 */
#include "target/plugin_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "op/op.h"

#define MAX_EACH 512u /* states or calls of a kind */

struct call {
        struct op_label label;
        uint32_t actor;
};

struct met {
        VEC(uint32_t) states;
        VEC(struct call) calls;
};

static struct met met[OP_USER_KINDS]; /* of the process: there is one exploration */

/* What a call does in a state. */
struct outcome {
        bool enabled;
        int64_t result;
        uint64_t state; /* after */
};

static struct outcome try(const struct call *c, uint64_t state)
{
        struct outcome o = {.state = state};
        bool queued;

        o.enabled = op_user_may(&c->label, c->actor, state);
        if (o.enabled)
                o.result = op_user_do(&c->label, c->actor, &o.state, NULL, &queued);
        return o;
}

static bool same(const struct outcome *a, const struct outcome *b)
{
        return a->enabled == b->enabled && a->result == b->result && a->state == b->state;
}

static void say_state(char *text, size_t n, uint32_t state, const struct heddle_op *op)
{
        const unsigned char *bytes = op_user_bytes(state);
        size_t at = 0;

        if (op->kind->print) {
                op->kind->print(text, n, bytes);
                return;
        }
        for (size_t i = 0; i < op->kind->size && at + 4 < n; i++)
                at += (size_t)snprintf(text + at, n - at, i % 4 == 3 ? "%02x " : "%02x", bytes[i]);
}

static int wrong(struct error *why, const struct call *a, const struct call *b, uint32_t state, const char *what)
{
        char text[128];

        say_state(text, sizeof text, state, op_user_op(a->label.op));
        if (b)
                return error_set(why, -1,
                                 "--check-ops: '%s' (argument %llu) and '%s' (argument %llu) in state {%s}: %s",
                                 op_user_name(a->label.op), (unsigned long long)a->label.arg, op_user_name(b->label.op),
                                 (unsigned long long)b->label.arg, text, what);
        return error_set(why, -1, "--check-ops: '%s' (argument %llu) in state {%s}: %s", op_user_name(a->label.op),
                         (unsigned long long)a->label.arg, text, what);
}

/* One call by itself. */
static int check_one(const struct call *c, uint32_t state, struct error *why)
{
        const struct heddle_op *op = op_user_op(c->label.op);
        struct heddle_call call = {.op = op, .thread = c->actor, .arg = c->label.arg};
        struct outcome first, second;
        uint64_t copy[HEDDLE_OP_STATE / 8 + 1];

        if (op->enabled) {
                memcpy(copy, op_user_bytes(state), op->kind->size);
                op_user_inside = op->name;
                op->enabled(copy, &call);
                op_user_inside = NULL;
                if (memcmp(copy, op_user_bytes(state), op->kind->size) != 0)
                        return wrong(why, c, NULL, state, "`enabled` changes the state");
        }
        first = try(c, state);
        second = try(c, state);
        if (!same(&first, &second))
                return wrong(why, c, NULL, state, "called twice, `enabled` or `apply` gives different results");
        if (op->mode == HEDDLE_READ && first.state != state)
                return wrong(why, c, NULL, state, "its mode is HEDDLE_READ, but it changes the state");
        return 0;
}

static uint8_t mode_of(const struct call *c, uint64_t before, uint64_t after)
{
        if (before == after)
                return WIRE_MODE_READ;
        return op_user_op(c->label.op)->mode == HEDDLE_COMMUTE ? WIRE_MODE_COMMUTE : WIRE_MODE_WRITE;
}

static struct wire_access access_of(const struct call *c, uint64_t before, const struct outcome *o)
{
        struct op_label l = c->label;

        l.state = (uint32_t)before;
        l.result = o->result;
        return (struct wire_access){.value = op_user_label(&l),
                                    .actor = (uint16_t)c->actor,
                                    .mode = mode_of(c, before, o->state),
                                    .op = c->label.op};
}

/* First a, then b. */
static int check_two(const struct call *a, const struct call *b, uint32_t state, struct error *why)
{
        struct outcome a1 = try(a, state), b2, b1, a2;
        struct wire_access x, y;
        bool commute;

        if (!a1.enabled)
                return 0;
        b2 = try(b, a1.state);
        if (!b2.enabled)
                return 0;
        x = access_of(a, state, &a1);
        y = access_of(b, a1.state, &b2);
        commute = op_user_commute(&x, &y);
        if (commute != op_user_commute(&y, &x))
                return wrong(why, a, b, state, "`dependent` is not symmetric");
        if (op_modes_conflict(x.mode, y.mode) && !commute)
                return 0;
        b1 = try(b, state);
        a2 = try(a, b1.state);
        if (!b1.enabled || !a2.enabled)
                return wrong(why, a, b, state, "declared independent, but they cannot run in the other order");
        if (a1.result != a2.result || b1.result != b2.result)
                return wrong(why, a, b, state, "declared independent, but a result differs in the other order");
        if (a2.state != b2.state)
                return wrong(why, a, b, state, "declared independent, but the state differs in the other order");
        return 0;
}

static int check_pair(const struct call *a, const struct call *b, uint32_t state, struct error *why)
{
        if (a->actor == b->actor)
                return 0;
        return check_two(a, b, state, why) || check_two(b, a, state, why) ? -1 : 0;
}

static int new_state(struct met *m, uint32_t state, struct error *why)
{
        for (uint32_t i = 0; i < m->states.n; i++)
                if (m->states.at[i] == state)
                        return 0;
        if (m->states.n == MAX_EACH || !vec_reserve(&m->states, 1))
                return 0;
        *vec_push(&m->states) = state;
        for (uint32_t i = 0; i < m->calls.n; i++) {
                if (check_one(&m->calls.at[i], state, why))
                        return -1;
                for (uint32_t k = 0; k < i; k++)
                        if (check_pair(&m->calls.at[i], &m->calls.at[k], state, why))
                                return -1;
        }
        return 0;
}

static int new_call(struct met *m, const struct call *c, struct error *why)
{
        for (uint32_t i = 0; i < m->calls.n; i++)
                if (m->calls.at[i].actor == c->actor && m->calls.at[i].label.op == c->label.op &&
                    m->calls.at[i].label.arg == c->label.arg)
                        return 0;
        if (m->calls.n == MAX_EACH || !vec_reserve(&m->calls, 1))
                return 0;
        *vec_push(&m->calls) = *c;
        for (uint32_t s = 0; s < m->states.n; s++) {
                if (check_one(c, m->states.at[s], why))
                        return -1;
                for (uint32_t k = 0; k + 1 < m->calls.n; k++)
                        if (check_pair(c, &m->calls.at[k], m->states.at[s], why))
                                return -1;
        }
        return 0;
}

static int look(uint32_t op, uint64_t value, uint32_t actor, struct error *why)
{
        struct call c = {.label = op_user_read(value), .actor = actor};
        const struct heddle_op *o = op_user_op(op);

        if (!o || c.label.kind >= OP_USER_KINDS || c.label.op != op || !op_user_bytes(c.label.state))
                return 0;
        if (c.label.role != OP_ROLE_DO || op_user_queued(c.label.kind) || o->kind2)
                return new_state(&met[c.label.kind], c.label.state, why);
        c.label.result = 0;
        return new_state(&met[c.label.kind], c.label.state, why) || new_call(&met[c.label.kind], &c, why) ? -1 : 0;
}

int checkops_look(const struct trace *t, struct error *why)
{
        for (uint32_t i = 0; i < t->n_events; i++)
                if (t->events[i].op >= OP_USER && look(t->events[i].op, t->events[i].value, t->events[i].actor, why))
                        return -1;
        for (uint32_t i = 0; i < t->n_threads; i++)
                if (t->threads[i].op >= OP_USER && look(t->threads[i].op, t->threads[i].value, i, why))
                        return -1;
        return 0;
}
