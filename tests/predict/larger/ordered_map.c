/*
 * A sorted list with a lock for each node, taken hand over hand.  A thread that inserts at the end sets the largest key, after it has given
 * the lock of the node before back.
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define THREADS 5

struct node {
        pthread_mutex_t mutex;
        int key;
        struct node *next;
};

static struct node head = {PTHREAD_MUTEX_INITIALIZER, -1, NULL};
static pthread_mutex_t largest_mutex = PTHREAD_MUTEX_INITIALIZER;
static int largest = -1;

/* The last node with a smaller key, locked. */
static struct node *find(int key)
{
        struct node *p = &head, *q;

        pthread_mutex_lock(&p->mutex);
        while ((q = p->next)) {
                pthread_mutex_lock(&q->mutex);
                if (q->key > key) {
                        pthread_mutex_unlock(&q->mutex);
                        break;
                }
                pthread_mutex_unlock(&p->mutex);
                p = q;
        }
        return p;
}

static void insert(int key)
{
        struct node *n = malloc(sizeof *n), *p;
        int last;

        pthread_mutex_init(&n->mutex, NULL);
        n->key = key;
        p = find(key);
        n->next = p->next;
        last = !n->next;
        p->next = n;
        pthread_mutex_unlock(&p->mutex);
        if (last) {
                pthread_mutex_lock(&largest_mutex);
                largest = key;
                pthread_mutex_unlock(&largest_mutex);
        }
}

static void *work(void *arg)
{
        int first = 2 * (int)(long)arg;

        insert(first);
        insert(first + 11);
        return NULL;
}

int main(void)
{
        pthread_t t[THREADS];
        int last = -1;

        for (long i = 0; i < THREADS; i++)
                pthread_create(&t[i], NULL, work, (void *)i);
        for (int i = 0; i < THREADS; i++)
                pthread_join(t[i], NULL);
        for (struct node *n = head.next, *next; n; n = next) {
                next = n->next;
                last = n->key;
                free(n);
        }
        assert(largest == last);
        return 0;
}
