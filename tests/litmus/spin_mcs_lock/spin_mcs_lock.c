/* The queue lock of Mellor-Crummey and Scott: each spins on a variable of its own. */
#include <assert.h>
#include <stdatomic.h>

#include "../litmus.h"

struct node {
        _Atomic(struct node *) next;
        atomic_int locked;
};

static _Atomic(struct node *) tail;
static int counter;

static void acquire(struct node *me)
{
        struct node *before;

        atomic_store(&me->next, NULL);
        before = atomic_exchange(&tail, me);
        if (before == NULL)
                return;
        atomic_store(&me->locked, 1);
        atomic_store(&before->next, me);
        while (atomic_load(&me->locked))
                ;
}

static void release(struct node *me)
{
        if (atomic_load(&me->next) == NULL) {
                struct node *last = me;

                if (atomic_compare_exchange_strong(&tail, &last, NULL))
                        return;
                while (atomic_load(&me->next) == NULL)
                        ;
        }
        atomic_store(&atomic_load(&me->next)->locked, 0);
}

static void *worker(void *arg)
{
        struct node me;

        acquire(&me);
        counter++;
        release(&me);
        return NULL;
}

int main(void)
{
        RUN(worker, worker);
        assert(counter == 2);
        return 0;
}
