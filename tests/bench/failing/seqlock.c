/* A sequence lock whose reader looks at the sequence only before it reads.  WRITES rounds of the writer, READS of the reader. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef WRITES
#define WRITES 2
#endif
#ifndef READS
#define READS 2
#endif

static atomic_int sequence, x, y;

static void *writer(void *arg)
{
        for (int i = 1; i <= WRITES; i++) {
                atomic_fetch_add(&sequence, 1);
                x = i;
                y = i;
                atomic_fetch_add(&sequence, 1);
        }
        return arg;
}

static void *reader(void *arg)
{
        for (int i = 0; i < READS; i++) {
                if (sequence & 1)
                        continue;
                int a = x, b = y;
                assert(a == b);
        }
        return arg;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, NULL, writer, NULL);
        pthread_create(&b, NULL, reader, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
