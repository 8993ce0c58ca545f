/* Attempts to push and pop that fail, and are left out once it is known where they lead: each worker learns that by itself. */
#include <stdatomic.h>

#include "../litmus.h"

struct node {
        struct node *next;
};

static struct node nodes[3];
static _Atomic(struct node *) top;
int first;

static void push(struct node *n)
{
        struct node *old = atomic_load(&top);

        do
                n->next = old;
        while (!atomic_compare_exchange_weak(&top, &old, n));
}

static struct node *pop(void)
{
        struct node *old = atomic_load(&top);

        while (old && !atomic_compare_exchange_weak(&top, &old, old->next))
                ;
        return old;
}

static void *a(void *arg)
{
        push(&nodes[0]);
        first = (int)(pop() - nodes);
        return arg;
}

static void *b(void *arg)
{
        push(&nodes[1]);
        pop();
        return arg;
}

static void *c(void *arg)
{
        push(&nodes[2]);
        pop();
        return arg;
}

int main(void)
{
        RUN(a, b, c);
        return 0;
}
