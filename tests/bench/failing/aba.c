/* A lock-free stack whose pop compares pointers only: a node that is popped and pushed again in between corrupts it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static struct node {
        struct node *_Atomic next;
        atomic_int taken;
} nodes[3];
static struct node *_Atomic head;

static struct node *pop(void)
{
        struct node *n = head;

        while (n && !atomic_compare_exchange_strong(&head, &n, n->next))
                ;
        if (n)
                assert(atomic_fetch_add(&n->taken, 1) == 0);
        return n;
}

static void push(struct node *n)
{
        struct node *h = head;

        n->taken = 0;
        do
                n->next = h;
        while (!atomic_compare_exchange_strong(&head, &h, n));
}

static void *one(void *arg)
{
        pop();
        return arg;
}

static void *two(void *arg)
{
        struct node *a = pop(), *b = pop();

        if (a && b)
                push(a);
        pop();
        pop();
        return arg;
}

int main(void)
{
        pthread_t a, b;

        for (int i = 0; i < 3; i++)
                push(&nodes[i]);
        pthread_create(&a, NULL, one, NULL);
        pthread_create(&b, NULL, two, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
