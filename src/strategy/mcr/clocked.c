/* See clocked.h. */
#include "strategy/mcr/clocked.h"

#include "base/hash.h"
#include "op/op.h"
#include "strategy/mcr/objects.h"
#include "strategy/mcr/orders.h"
#include "strategy/mcr/wait/waits.h"

#define READERS UINT64_C(0x100000000) /* in the key of a cell: of readers since the last writer */

void clocked_cell(struct tries *t, uint32_t object, uint32_t op)
{
        if (t->clocked && !t->cells.at[object].last) {
                uint32_t last = tries_cell_make(t, CELL_LAST, object, 0);
                t->cells.at[object].last = last;
                if (op_object(op) == OP_OBJ_RWLOCK) {
                        uint32_t readers = tries_cell_make(t, CELL_LAST, object | READERS, 0);
                        t->cells.at[last].last = readers;
                }
        }
}

/* The cell of an object's readers; 0: it has none. */
static uint32_t readers_of(const struct tries *t, uint32_t object)
{
        uint32_t last = t->cells.at[object].last;

        return last ? t->cells.at[last].last : 0;
}

/* Does it come after writers alone?  Nothing changes between a writer's lock and unlock. */
static bool follows_writers(uint32_t op)
{
        return op_order(op) == OP_TAKES_SHARED || op == OP_RWLOCK_UNLOCK;
}

static uint64_t last_of(const struct tries *t, const uint64_t *now, uint32_t object)
{
        uint32_t last = t->cells.at[object].last;

        return last && now[last] ? hash_draw(now[last]) : 0;
}

uint64_t clocked_result(const struct tries *t, const uint64_t *now, uint32_t at, uint64_t result)
{
        const struct node *n = &t->nodes.at[at], *wait;

        if (!t->clocked || (n->op != OP_BARRIER_LEAVE && (result == OBJECT_REFUSED || result == OBJECT_LATE)))
                return 0;
        wait = n->op == OP_MUTEX_RELOCK ? waiters_before(t, at) : NULL; /* the signal counts, too */
        return last_of(t, now, n->cell) ^ (follows_writers(n->op) ? 0 : now[readers_of(t, n->cell)]) ^
               (wait ? hash_mix(1, last_of(t, now, wait->cell)) : 0);
}

void clocked_do(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t child, uint32_t choice,
                waiters_set *set, void *arg)
{
        uint32_t last = n->kind == NODE_OBJECT || n->kind == NODE_WAIT ? t->cells.at[n->cell].last : 0;
        uint32_t readers = last ? readers_of(t, n->cell) : 0, led = t->nodes.at[child].led;
        bool chooses = n->op == OP_COND_SIGNAL && choice != WIRE_NO_CHOICE && !waiters_ordered(t, n->op);

        if (!last || !(led & ORDERS_CHANGES) || op_order(n->op) == OP_TAKES_SHARED)
                return;
        if (readers && (led & ORDERS_SHARED)) {
                set(arg, readers, now[readers] + hash_draw(child));
                return;
        }
        set(arg, last, child | (uint64_t)(chooses ? choice : 0) << 32);
        if (readers)
                set(arg, readers, 0);
}
