/* Names of memory: each line with a comment has an access, or an allocation, that the site table describes so; of an
 * address in the heap, reports show type and field. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct {
        int x, y;
} point;

struct node {
        int value;
        struct node *next;
        point corners[3];
};

struct queue {
        struct node *head;
        int count;
        struct {
                long sums[4];
        } in;
        union {
                int i;
                float f;
        } either;
        unsigned low : 3, high : 5;
};

static struct queue *q, one;
static int matrix[4], total;
static point *points;

static void *reserve(size_t size)
{
        return malloc(size);
}

static void push(struct queue *to, int i)
{
        struct node *n = malloc(sizeof *n); /* a node */

        n->value = i;              /* w n->value */
        n->corners[1].y = i;       /* w n->corners[1].y */
        n->next = to->head;        /* r to->head */
        to->head = n;              /* w to->head */
        to->head->next->value = i; /* w to->head->next->value */
        to->in.sums[i] = 1;        /* w to->in.sums[i] */
        one.in.sums[2] = i;        /* w one.in.sums[2] */
        matrix[i] = total;         /* w matrix[i] */
        points[i].x = 3;           /* w points[i].x */
        *&total = matrix[3];       /* r matrix[3] */
        to->either.i = 1;          /* w to->either */
}

static void *work(void *arg)
{
        q->count++; /* w q->count */
        return arg;
}

int main(int argc, char **argv)
{
        pthread_t t, u;

        q = calloc(1, sizeof *q);                /* a queue */
        points = reserve(3 * sizeof(point));     /* a point */
        (void)argv;
        if (argc > 1) {
                q->head = calloc(1, sizeof(struct node)); /* a node */
                push(q, 1);
        }
        pthread_create(&t, NULL, work, NULL);
        pthread_create(&u, NULL, work, NULL);
        pthread_join(t, NULL);
        pthread_join(u, NULL);
        assert(q->count == 2);
        return 0;
}
