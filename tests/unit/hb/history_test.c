/* Access histories: which earlier accesses one conflicts with, byte by byte. */
#include "hb/history.h"

#include "../events.h"
#include "hb/causality.h"
#include "hb/causality_check.h"
#include "hb/granules.h"

static uint64_t raced; /* bits of transitions */

static bool note(void *arg, uint32_t i, uint32_t actor, const uint32_t *past)
{
        (void)arg, (void)actor, (void)past;
        raced |= UINT64_C(1) << i;
        return true;
}

static void push(struct causality *c, struct wire_event e)
{
        raced = 0;
        CHECK(causality_push(c, &e, 1, note, NULL) && causality_check(c, 0));
}

static struct wire_event bytes(uint32_t actor, uint32_t op, uint64_t obj, uint32_t size)
{
        struct wire_event e = event(actor, op, obj);

        e.size = size;
        return e;
}

/* A write covers what is older: that is ordered before it. */
static void writes_cover(void)
{
        struct causality c;

        CHECK(causality_init(&c));
        push(&c, event(0, OP_WRITE, X));
        push(&c, event(1, OP_WRITE, X));
        push(&c, event(2, OP_WRITE, X));
        CHECK(raced == 2);
        push(&c, event(0, OP_READ, X));
        push(&c, event(1, OP_READ, X));
        CHECK(raced == 4); /* reads pass over reads */
        push(&c, event(3, OP_WRITE, X));
        CHECK(raced == (8 | 16)); /* both reads; the write before them happens before both */
        causality_fini(&c);
}

static void bytes_count(void)
{
        struct causality c;

        CHECK(causality_init(&c));
        push(&c, bytes(0, OP_WRITE, X, 8));
        push(&c, bytes(1, OP_WRITE, X, 4));
        CHECK(raced == 1);
        push(&c, bytes(2, OP_WRITE, X + 4, 4));
        CHECK(raced == 1); /* the other half */
        push(&c, bytes(3, OP_READ, X, 8));
        CHECK(raced == (2 | 4));
        push(&c, bytes(4, OP_WRITE, X + 6, 4)); /* two granules */
        CHECK(raced == 8);                      /* the write before the read happens before it */
        push(&c, bytes(5, OP_READ, X + 8, 1));
        CHECK(raced == 16);
        causality_fini(&c);
}

/* A lock races with the previous lock, not with the unlock that enabled it. */
static void a_lock_races_with_the_lock_before(void)
{
        struct causality c;
        struct wire_event unlock = bytes(0, OP_MUTEX_UNLOCK, LOCK, 1), lock = bytes(0, OP_MUTEX_LOCK, LOCK, 1);

        CHECK(causality_init(&c));
        push(&c, lock);
        unlock.value = 1; /* held by actor 0 */
        push(&c, unlock);
        lock.actor = 1;
        push(&c, lock);
        CHECK(raced == 1 && causality_before(&c, 1, causality_clock(&c, 2)));
        causality_fini(&c);
}

static void the_table_grows(void)
{
        enum { N = 3000 };
        struct causality c;

        CHECK(causality_init(&c));
        for (uint32_t i = 0; i < N; i++) {
                struct wire_event e = event(i % 3, OP_WRITE, 8 * i);
                CHECK(causality_push(&c, &e, 1, note, NULL));
        }
        CHECK(causality_check(&c, 0));
        for (uint32_t i = 0; i < N; i++)
                CHECK(granule_head(&c, i) == i);
        CHECK(granule_head(&c, N) == CAUSALITY_NONE);
        causality_pop(&c, 10);
        CHECK(granule_head(&c, 9) == 9 && granule_head(&c, 10) == CAUSALITY_NONE);
        causality_fini(&c);
}

int main(void)
{
        writes_cover();
        bytes_count();
        a_lock_races_with_the_lock_before();
        the_table_grows();
        return 0;
}
