/* A lock-free stack whose nodes are reused: ABA. */
#include "bugs.h"

struct node {
        struct node *_Atomic next;
        int taken;
};

static struct node nodes[3];
static struct node *_Atomic top;
#ifdef FIXED
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#endif

static struct node *pop(void)
{
        struct node *n;

#ifdef FIXED
        pthread_mutex_lock(&m);
        n = top;
        if (n)
                top = n->next;
        pthread_mutex_unlock(&m);
#else
        struct node *next;
        do {
                n = top;
                if (!n)
                        return NULL;
                next = n->next;
        } while (!atomic_compare_exchange_strong(&top, &n, next));
#endif
        return n;
}

static void push(struct node *n)
{
#ifdef FIXED
        pthread_mutex_lock(&m);
        n->next = top;
        top = n;
        pthread_mutex_unlock(&m);
#else
        struct node *old;
        do {
                old = top;
                n->next = old;
        } while (!atomic_compare_exchange_strong(&top, &old, n));
#endif
}

static void take(struct node *n)
{
        if (!n)
                return;
        assert(!n->taken);
        n->taken = 1;
}

static void *one(void *arg)
{
        take(pop());
        return arg;
}

static void *two(void *arg)
{
        struct node *a = pop(), *b = pop();

        take(b);
        if (a)
                push(a);
        return arg;
}

int main(void)
{
        for (int i = 0; i < 3; i++) {
                nodes[i].next = i ? &nodes[i - 1] : NULL;
                top = &nodes[i];
        }
        RUN(one, two);
        take(pop());
        take(pop());
        return 0;
}
