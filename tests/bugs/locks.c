/*
 * Locks of one's own, as code under test: -DTAS -DTICKET -DMCS -DPETERSON -DDEKKER -DBAKERY, each with -DBROKEN in a variant
 * that does not exclude.  Marked HEDDLE_LOCK, they are checked with --test-locks only.
 */
#include "bugs.h"

static int inside, total;

#if defined(TAS)
static atomic_int taken;

HEDDLE_LOCK static void lock(size_t me)
{
        (void)me;
#ifdef BROKEN
        while (atomic_load(&taken))
                ;
        atomic_store(&taken, 1);
#else
        while (atomic_exchange(&taken, 1))
                ;
#endif
}

HEDDLE_LOCK static void unlock(size_t me)
{
        (void)me;
        atomic_store(&taken, 0);
}

#elif defined(TICKET)
static atomic_int next, serving;

HEDDLE_LOCK static void lock(size_t me)
{
        (void)me;
#ifdef BROKEN
        int mine = next;
        next = mine + 1;
#else
        int mine = atomic_fetch_add(&next, 1);
#endif
        while (atomic_load(&serving) != mine)
                ;
}

HEDDLE_LOCK static void unlock(size_t me)
{
        (void)me;
        atomic_fetch_add(&serving, 1);
}

#elif defined(MCS)
struct node {
        struct node *_Atomic next;
        atomic_int waits;
};

static struct node nodes[2];
static struct node *_Atomic tail;

HEDDLE_LOCK static void lock(size_t me)
{
        struct node *n = &nodes[me], *before;

        n->next = NULL;
#ifndef BROKEN
        n->waits = 1;
#endif
        before = atomic_exchange(&tail, n);
        if (!before)
                return;
        before->next = n;
#ifdef BROKEN
        n->waits = 1; /* too late: it may have been let in already */
#endif
        while (n->waits)
                ;
}

HEDDLE_LOCK static void unlock(size_t me)
{
        struct node *n = &nodes[me], *self = n;

        if (!n->next) {
                if (atomic_compare_exchange_strong(&tail, &self, NULL))
                        return;
                while (!n->next)
                        ;
        }
        n->next->waits = 0;
}

#elif defined(PETERSON)
static volatile int want[2], turn;

HEDDLE_LOCK static void lock(size_t me)
{
#ifdef BROKEN
        turn = (int)!me;
        want[me] = 1;
#else
        want[me] = 1;
        turn = (int)!me;
#endif
        while (want[!me] && turn == (int)!me)
                ;
}

HEDDLE_LOCK static void unlock(size_t me)
{
        want[me] = 0;
}

#elif defined(DEKKER)
static volatile int want[2], turn;

HEDDLE_LOCK static void lock(size_t me)
{
#ifdef BROKEN
        while (want[!me])
                ;
        want[me] = 1;
#else
        want[me] = 1;
        while (want[!me]) {
                if (turn == (int)me)
                        continue;
                want[me] = 0;
                while (turn != (int)me)
                        ;
                want[me] = 1;
        }
#endif
}

HEDDLE_LOCK static void unlock(size_t me)
{
        turn = (int)!me;
        want[me] = 0;
}

#elif defined(BAKERY)
static volatile int choosing[2], number[2];

HEDDLE_LOCK static void lock(size_t me)
{
#ifndef BROKEN
        choosing[me] = 1;
#endif
        number[me] = number[!me] + 1;
#ifndef BROKEN
        choosing[me] = 0;
#endif
        while (choosing[!me])
                ;
        while (number[!me] && (number[!me] < number[me] || (number[!me] == number[me] && !me < me)))
                ;
}

HEDDLE_LOCK static void unlock(size_t me)
{
        number[me] = 0;
}
#endif

static void *work(void *arg)
{
        size_t me = (size_t)arg;

        lock(me);
        assert(++inside == 1);
        total++;
        inside--;
        unlock(me);
        return NULL;
}

int main(void)
{
        RUN(work, work);
        assert(total == 2);
        return 0;
}
