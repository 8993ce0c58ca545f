/* The rows of op.def: columns and flags that belong together, and those that agree with the model of op.h. */
#include "op/row.h"

#include <assert.h>
#include <string.h>

#include "op/op.h"

#define THREADS 3u

static bool is_access(uint32_t op)
{
        return op_has(op, OPF_PLAIN | OPF_ATOMIC);
}

/* A forgotten RACES would hide data races. */
static void memory(uint32_t op)
{
        bool touches = op_mode(op) == WIRE_MODE_READ || op_mode(op) == WIRE_MODE_WRITE;

        if (op_object(op) == OP_OBJ_MEMORY && touches && op != OP_FLUSH && op != OP_OBSERVE)
                assert(op_has(op, OPF_RACES));
        assert(!is_access(op) || (op_object(op) == OP_OBJ_MEMORY && op_has(op, OPF_RACES)));
        assert(!op_has(op, OPF_PLAIN) || !op_has(op, OPF_ATOMIC));
        assert(op_has(op, OPF_LOADS) == (op_mode(op) == WIRE_MODE_READ && is_access(op)));
        assert(!op_has(op, OPF_UNIFORM) || is_access(op));
}

/* A store that is neither delayed nor waits for earlier ones would overtake them. */
static void delayed(uint32_t op)
{
        bool stores = op_mode(op) == WIRE_MODE_WRITE && op_object(op) != OP_OBJ_THREAD;

        assert(op_has(op, OPF_BUFFERED) == (stores && op_drains(op) != OP_DRAINS));
        if (op_has(op, OPF_BUFFERED) && op_object(op) != OP_OBJ_MEMORY) /* others are flushed by OP_FLUSH */
                assert(op_has(op, OPF_FLUSHES));
        assert(!op_has(op, OPF_FLUSHES) || op_has(op, OPF_BY_BUFFER));
        assert(op_has(OP_FLUSH, OPF_FLUSHES));
}

/* Is there a state in which it has to wait? */
static bool is_disabled_somewhere(uint32_t op)
{
        static const uint64_t states[] = {
                0, 1, 2, 3, 1u << 16, UINT64_C(1) << 32, OP_RWLOCK_READER, OP_GONE, UINT64_C(1) << 44};

        for (uint32_t i = 0; i < sizeof states / sizeof *states; i++)
                for (uint32_t actor = 0; actor < THREADS; actor++)
                        if (!op_enabled(op, states[i], actor))
                                return true;
        return false;
}

static void waiting(uint32_t op)
{
        if (!op_has(op, OPF_RELOCKS)) /* the condition variable decides */
                assert(op_blocks(op) == is_disabled_somewhere(op));
        assert(!op_blocks(op) || op_may_wait(op));
        assert(!op_has(op, OPF_UNTIL_END) || op_may_wait(op));
        if (op_has(op, OPF_RELOCKS) || (op_row(op)->waits == OP_WAITS_THREAD && !op_has(op, OPF_UNTIL_END)))
                assert(op_has(op, OPF_WOKEN));
}

static void locks(uint32_t op)
{
        enum op_order order = op_order(op);

        if (order == OP_TAKES || order == OP_TAKES_SHARED || order == OP_GIVES)
                assert(op_object_owned(op_object(op)));
        assert(order != OP_GIVES || !op_may_wait(op));
}

static void equivalence(uint32_t op)
{
        struct wire_access a = {.op = (uint8_t)op, .mode = WIRE_MODE_WRITE};

        if (op_commuting(op))
                assert(op_mode(op) == WIRE_MODE_WRITE && op_apply(&a, 5) != 5 && !op_point_class(op));
        assert(!op_has(op, OPF_SURE) || !op_has(op, OPF_SURE_WRITTEN));
        assert(!op_has(op, OPF_POINT_ACQUIRE) || !op_has(op, OPF_POINT_RELEASE));
        assert(!op_has(op, OPF_CHOICES) || !op_point_class(op));
        assert(!op_has(op, OPF_LOOKS) || !op_is_progress(op));
        assert(op_has(op, OPF_SECTION) == (op == OP_ATOMIC_BEGIN || op == OP_TXN_RUN || op == OP_TXN_TRY));
        assert(!op_has(op, OPF_PART) || op_has(op, OPF_UNTOLD));
}

/* Numbers without an operation have the row of plugins' operations. */
static void plugins(void)
{
        assert(!op_known(OP_USER) && strcmp(op_name(OP_USER), "?") == 0);
        assert(op_object(OP_USER) == OP_OBJ_USER && op_order(OP_USER) == OP_MEETS);
        assert(op_drains(OP_USER) == OP_DRAINS && op_has(OP_USER, OPF_FENCES) && !op_blocks(OP_USER));
        assert(op_object_named(OP_OBJ_USER) && !op_object_named(OP_OBJ_NONE) && !op_object_named(OP_OBJ_USER + 1));
}

int main(void)
{
        for (uint32_t op = OP_NONE + 1; op < OP_COUNT; op++) {
                assert(op_known(op) && op_name(op)[0] && op_mode(op) <= WIRE_MODE_FORWARD);
                memory(op);
                delayed(op);
                waiting(op);
                locks(op);
                equivalence(op);
        }
        plugins();
        return 0;
}
