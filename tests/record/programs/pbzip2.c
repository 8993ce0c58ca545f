/* A pipeline that compresses blocks: main frees the queue when the output is complete, though a consumer may still use it. */
#include <pthread.h>
#include <stdlib.h>

#define BLOCKS    6
#define CONSUMERS 2

struct fifo {
        pthread_mutex_t *mut;
        int head, tail, blocks[BLOCKS];
};

static struct fifo *fifo;
static volatile int written;
static int sizes[BLOCKS];

static int compress(int block)
{
        int runs = 0;

        for (int i = 0; i < 16; i++)
                if ((block * 7 + i) % 3 == 0)
                        runs++;
        return runs;
}

static void *consumer(void *arg)
{
        for (;;) {
                struct fifo *q = fifo;
                int block = -1;

                pthread_mutex_lock(q->mut);
                if (q->head < q->tail)
                        block = q->blocks[q->head++];
                pthread_mutex_unlock(q->mut);
                if (block < 0)
                        break;
                sizes[block] = compress(block);
                __atomic_fetch_add(&written, 1, __ATOMIC_SEQ_CST);
        }
        return arg;
}

int main(void)
{
        pthread_t t[CONSUMERS];
        struct fifo *q = calloc(1, sizeof *q);

        q->mut = malloc(sizeof *q->mut);
        pthread_mutex_init(q->mut, NULL);
        for (int i = 0; i < BLOCKS; i++)
                q->blocks[q->tail++] = i;
        fifo = q;
        for (int i = 0; i < CONSUMERS; i++)
                pthread_create(&t[i], NULL, consumer, NULL);
        while (__atomic_load_n(&written, __ATOMIC_SEQ_CST) < BLOCKS)
                ;
        pthread_mutex_destroy(q->mut);
        free(q->mut);
        q->mut = NULL;
        for (int i = 0; i < CONSUMERS; i++)
                pthread_join(t[i], NULL);
        free(q);
        return 0;
}
