/*
 * The table of users' operations, and the plugin's answers about recorded states.
 *
 * A kind with an operation that has a wakeup policy keeps a queue of the waiting threads behind its state.  Such an
 * operation has two steps: it enters, and is done at once if it is its turn, or joins the queue; then it is done when
 * it is its turn.  It is a thread's turn when its operation is enabled and no other waiting one that is comes before it
 * by the policy.  So the order of waiting is part of the state, and `op_user_may` needs nothing else.
 */
#include "op/user.h"

#include "op/records.h"

struct waiter {
        uint64_t arg;
        uint16_t thread;
        uint8_t op;
        uint8_t pad[5];
};

struct queue {
        uint64_t n;
        struct waiter at[OP_USER_QUEUE];
};

#define MAX_STATE (HEDDLE_OP_STATE + sizeof(struct queue))

/* Operations on two objects never commute beyond their modes: what they do to one depends on the other. */
struct kind {
        const struct heddle_kind *kind;
        uint32_t size; /* of the state, without the queue, a multiple of 8 */
        bool queue;    /* an operation has a wakeup policy */
        bool refined;  /* operations may commute */
};

struct row {
        const struct heddle_op *op;
        const char *name;
        uint16_t kind;
};

static struct row rows[OP_USER_MAX];
static uint32_t n_rows;
static struct kind kinds[OP_USER_KINDS];
static uint32_t n_kinds;

const char *volatile op_user_inside;

static struct row *row_of(uint32_t op)
{
        return op >= OP_USER && op < OP_USER + n_rows ? &rows[op - OP_USER] : NULL;
}

static const struct kind *kind_at(uint32_t i)
{
        return i < n_kinds ? &kinds[i] : NULL;
}

/* The table. */

uint32_t op_user_kind(const struct heddle_kind *kind)
{
        uint32_t i = 0;

        while (i < n_kinds && kinds[i].kind != kind)
                i++;
        return i;
}

static const char *add_kind(const struct heddle_kind *k)
{
        if (!k->name || k->size > HEDDLE_OP_STATE)
                return "it has a kind without a name, or with more than 256 bytes of state";
        if (op_user_kind(k) < n_kinds)
                return NULL;
        if (n_kinds == OP_USER_KINDS)
                return "there are more than 32 kinds of objects";
        kinds[n_kinds++] = (struct kind){.kind = k, .size = k->size ? ((uint32_t)k->size + 7) & ~7u : 8};
        return NULL;
}

static const char *add_op(const struct heddle_op *op)
{
        const char *wrong = NULL;
        struct kind *k;

        if (!op->name || !op->kind || !op->apply)
                return "it has an operation without name, kind or apply";
        if (op->mode > HEDDLE_COMMUTE || op->mode2 > HEDDLE_COMMUTE || op->wakeup > HEDDLE_PRIORITY)
                return "it has an operation with an unknown mode or wakeup policy";
        if (n_rows == OP_USER_MAX)
                return "there are more than 96 operations";
        if ((wrong = add_kind(op->kind)) || (op->kind2 && (wrong = add_kind(op->kind2))))
                return wrong;
        if (op->wakeup != HEDDLE_ARBITRARY && (!op->enabled || op->kind2))
                return "an operation with a wakeup policy must have `enabled` and one object";
        k = &kinds[op_user_kind(op->kind)];
        k->queue = k->queue || op->wakeup != HEDDLE_ARBITRARY;
        k->refined = k->refined || op->dependent || op->mode == HEDDLE_COMMUTE;
        if (op->kind2 && op->mode2 == HEDDLE_COMMUTE)
                kinds[op_user_kind(op->kind2)].refined = true;
        rows[n_rows++] = (struct row){.op = op, .name = op->name, .kind = (uint16_t)op_user_kind(op->kind)};
        return NULL;
}

const char *op_user_add(const struct heddle_plugin *p)
{
        const char *wrong = NULL;

        if (p->abi != HEDDLE_OP_ABI)
                return "it was built for another version of heddle/op.h; build it again";
        if (!p->name || !p->n_ops || !p->ops)
                return "it declares no operations";
        if (n_rows && !rows[0].op) /* names of a trace file; the plugin knows better */
                n_rows = 0;
        for (uint32_t i = 0; i < p->n_ops && !wrong; i++)
                wrong = add_op(&p->ops[i]);
        return wrong;
}

bool op_user_name_only(uint32_t op, const char *name)
{
        if (op != OP_USER + n_rows || n_rows == OP_USER_MAX)
                return row_of(op) != NULL;
        rows[n_rows++] = (struct row){.name = name, .kind = OP_USER_KINDS};
        return true;
}

uint32_t op_user_number(const struct heddle_op *op)
{
        for (uint32_t i = 0; i < n_rows; i++)
                if (rows[i].op == op)
                        return OP_USER + i;
        return 0;
}

const struct heddle_op *op_user_op(uint32_t number)
{
        const struct row *r = row_of(number);

        return r ? r->op : NULL;
}

bool op_user_known(uint32_t op)
{
        return row_of(op) != NULL;
}

const char *op_user_name(uint32_t op)
{
        const struct row *r = row_of(op);

        return r ? r->name : "?";
}

bool op_user_blocks(uint32_t op)
{
        const struct row *r = row_of(op);

        return r && r->op && r->op->enabled;
}

bool op_user_commuting(uint32_t op)
{
        const struct row *r = row_of(op);
        const struct kind *k = r ? kind_at(r->kind) : NULL;

        return k && k->refined;
}

bool op_user_queued(uint32_t kind)
{
        return kind < n_kinds && kinds[kind].queue;
}

/* States and labels. */

static void copy(void *to, const void *from, uint32_t n)
{
        for (uint32_t i = 0; i < n / 8; i++)
                ((uint64_t *)to)[i] = ((const uint64_t *)from)[i];
}

static uint32_t state_size(const struct kind *k)
{
        return k->size + (k->queue ? (uint32_t)sizeof(struct queue) : 0);
}

static struct queue *queue_of(const struct kind *k, const void *state)
{
        return k->queue ? (struct queue *)(uintptr_t)((const char *)state + k->size) : NULL;
}

uint64_t op_user_first_state(const struct heddle_kind *kind, const void *object)
{
        const struct kind *k = kind_at(op_user_kind(kind));
        uint64_t state[MAX_STATE / 8];

        for (uint32_t i = 0; i < MAX_STATE / 8; i++)
                state[i] = 0;
        if (kind->init) {
                op_user_inside = kind->name;
                kind->init(state, object);
                op_user_inside = NULL;
        }
        return records_add(state, state_size(k));
}

uint64_t op_user_label(const struct op_label *l)
{
        return records_add(l, sizeof *l);
}

struct op_label op_user_read(uint64_t value)
{
        uint32_t size;
        const struct op_label *l = records_get(value, &size);

        return l && size == sizeof *l ? *l : (struct op_label){.kind = OP_USER_KINDS};
}

uint32_t op_user_state_of(uint64_t value)
{
        return op_user_read(value).state;
}

uint32_t op_user_kind_of(uint64_t value)
{
        return op_user_read(value).kind;
}

const void *op_user_bytes(uint32_t state)
{
        uint32_t size;

        return records_get(state, &size);
}

/* The state of an object of this kind, or NULL if the record is none. */
static const void *state_at(const struct kind *k, uint64_t state)
{
        uint32_t size;
        const void *s = k ? records_get(state, &size) : NULL;

        return s && size == state_size(k) ? s : NULL;
}

struct heddle_call op_user_call(const struct op_label *l, uint32_t actor)
{
        const struct row *r = row_of(l->op);

        return (struct heddle_call){.op = r ? r->op : NULL,
                                    .thread = actor,
                                    .arg = l->arg,
                                    .result = l->result,
                                    .before = op_user_bytes(l->state)};
}

/* The plugin's answers. */

static bool is_enabled(const struct heddle_op *op, const void *state, uint32_t thread, uint64_t arg)
{
        struct heddle_call call = {.op = op, .thread = thread, .arg = arg};
        bool yes;

        if (!op->enabled)
                return true;
        op_user_inside = op->name;
        yes = op->enabled(state, &call);
        op_user_inside = NULL;
        return yes;
}

static int priority_of(const struct heddle_op *op, uint32_t thread, uint64_t arg)
{
        struct heddle_call call = {.op = op, .thread = thread, .arg = arg};

        return op->priority ? op->priority(&call) : 0;
}

/* Does waiter w, at this place of the queue, go before an operation that is behind it (or about to join it)? */
static bool goes_first(const struct waiter *w, bool earlier, const struct heddle_op *op, uint32_t thread, uint64_t arg)
{
        int mine, other;

        switch (op->wakeup) {
        case HEDDLE_FIFO: return earlier;
        case HEDDLE_LIFO: return !earlier;
        case HEDDLE_PRIORITY:
                mine = priority_of(op, thread, arg);
                other = priority_of(rows[w->op].op, w->thread, w->arg);
                return other > mine || (other == mine && earlier);
        default: return false;
        }
}

/* Is it the turn of this thread?  It may be in the queue or not. */
static bool its_turn(const struct kind *k, const struct heddle_op *op, const void *state, uint32_t thread, uint64_t arg)
{
        const struct queue *q = queue_of(k, state);
        bool earlier = true;

        if (!is_enabled(op, state, thread, arg))
                return false;
        for (uint32_t i = 0; q && i < q->n && i < OP_USER_QUEUE; i++) {
                const struct waiter *w = &q->at[i];
                if (w->thread == thread)
                        earlier = false;
                else if (w->op < n_rows && rows[w->op].op && goes_first(w, earlier, op, thread, arg) &&
                         is_enabled(rows[w->op].op, state, w->thread, w->arg))
                        return false;
        }
        return true;
}

bool op_user_may(const struct op_label *l, uint32_t actor, uint64_t state)
{
        const struct row *r = row_of(l->op);
        const struct kind *k = r ? kind_at(r->kind) : NULL;
        const void *s = state_at(k, state);

        if (l->role == OP_ROLE_ENTER || !s || !r->op || !r->op->enabled)
                return true;
        return its_turn(k, r->op, s, actor, l->arg);
}

static void leave_queue(struct queue *q, uint32_t thread)
{
        uint32_t n = 0;

        for (uint32_t i = 0; i < q->n; i++)
                if (q->at[i].thread != thread)
                        q->at[n++] = q->at[i];
        for (uint32_t i = n; i < q->n; i++)
                q->at[i] = (struct waiter){0};
        q->n = n;
}

static int64_t apply(const struct op_label *l, uint32_t actor, void *s, void *s2)
{
        const struct heddle_op *op = rows[l->op - OP_USER].op;
        struct heddle_call call = {.op = op, .thread = actor, .arg = l->arg};
        int64_t result;

        op_user_inside = op->name;
        result = op->apply(s, s2, &call);
        op_user_inside = NULL;
        return result;
}

int64_t op_user_do(const struct op_label *l, uint32_t actor, uint64_t *state, uint64_t *state2, bool *queued)
{
        const struct row *r = row_of(l->op);
        const struct kind *k = r && r->op ? kind_at(r->kind) : NULL;
        const struct kind *k2 = k && r->op->kind2 ? kind_at(op_user_kind(r->op->kind2)) : NULL;
        const void *old = state_at(k, *state), *old2 = state2 ? state_at(k2, *state2) : NULL;
        uint64_t s[MAX_STATE / 8], s2[MAX_STATE / 8];
        int64_t result = 0;

        *queued = false;
        if (!old || (k2 && !old2))
                return 0;
        copy(s, old, state_size(k));
        if (k2)
                copy(s2, old2, state_size(k2));
        if (l->role == OP_ROLE_ENTER && !its_turn(k, r->op, s, actor, l->arg)) {
                struct queue *q = queue_of(k, s);
                *queued = true;
                if (q->n >= OP_USER_QUEUE)
                        return -1;
                q->at[q->n++] =
                        (struct waiter){.arg = l->arg, .thread = (uint16_t)actor, .op = (uint8_t)(l->op - OP_USER)};
        } else {
                if (k->queue)
                        leave_queue(queue_of(k, s), actor);
                result = apply(l, actor, s, k2 ? s2 : NULL);
        }
        *state = records_add(s, state_size(k));
        if (k2)
                *state2 = records_add(s2, state_size(k2));
        return result;
}

/* Dependence. */

/* One side's word; what it says nothing of is dependent. */
static bool says_dependent(const struct heddle_op *op, const struct heddle_call *a, const struct heddle_call *b)
{
        bool yes;

        if (!op || !op->dependent)
                return true;
        op_user_inside = op->name;
        yes = op->dependent(a, b);
        op_user_inside = NULL;
        return yes;
}

bool op_user_commute(const struct wire_access *a, const struct wire_access *b)
{
        struct op_label la = op_user_read(a->value), lb = op_user_read(b->value);
        struct heddle_call ca = op_user_call(&la, a->actor), cb = op_user_call(&lb, b->actor);
        const struct kind *k = kind_at(la.kind);

        if (la.kind != lb.kind || !k || k->queue || !ca.op || !cb.op || ca.op->kind2 || cb.op->kind2)
                return false;
        return !says_dependent(ca.op, &ca, &cb) && !says_dependent(cb.op, &ca, &cb);
}

bool op_user_commute_in(const struct wire_access *a, const struct wire_access *b, uint64_t state)
{
        struct op_label la = op_user_read(a->value), lb = op_user_read(b->value);
        bool queued;

        if (!op_user_commute(a, b))
                return false;
        op_user_do(&lb, b->actor, &state, NULL, &queued);
        return op_user_may(&la, a->actor, state) && op_user_do(&la, a->actor, &state, NULL, &queued) == la.result;
}

bool op_user_print(char *text, size_t n, const struct wire_event *e)
{
        struct op_label l = op_user_read(e->value);
        struct heddle_call call = op_user_call(&l, e->actor);

        if (!call.op || l.op != e->op || !call.before || l.role == OP_ROLE_SECOND)
                return false;
        text[0] = 0;
        op_user_inside = call.op->name;
        if (call.op->print)
                call.op->print(text, n, &call);
        else if (call.op->kind->print)
                call.op->kind->print(text, n, call.before);
        op_user_inside = NULL;
        text[n - 1] = 0;
        return text[0] != 0;
}
