/* A pointer is wrong for good after a while: the second walk through the list crashes.  The first one could, too. */
#include <pthread.h>
#include <unistd.h>

struct node {
        int v;
        struct node *next;
};

static struct node nodes[4], *volatile head = nodes;
static volatile int total;

static void *walk(void *arg)
{
        for (int round = 0; round < 2; round++) {
                for (const struct node *n = head; n; n = n->next)
                        if (n->v > 1)
                                total++;
                usleep(40000);
        }
        return arg;
}

static void *spoil(void *arg)
{
        usleep(20000);
        head = (struct node *)8;
        return arg;
}

int main(void)
{
        pthread_t t, u;

        for (int i = 0; i < 4; i++)
                nodes[i] = (struct node){i, i < 3 ? &nodes[i + 1] : NULL};
        pthread_create(&t, NULL, walk, NULL);
        pthread_create(&u, NULL, spoil, NULL);
        pthread_join(t, NULL);
        pthread_join(u, NULL);
        return 0;
}
