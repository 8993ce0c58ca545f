/* A bug of known depth (Burckhardt et al., ASPLOS 2010) among PAD steps before and after it.
 * DEPTH 1: reader before writer.  2: the reader between two writes.  3: between the reader's two reads the second write. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef PAD
#define PAD 10
#endif

static atomic_int x, noise;

static void pad(void)
{
        for (int i = 0; i < PAD; i++)
                atomic_fetch_add(&noise, 1);
}

static void *writer(void *arg)
{
        pad();
        x = 1;
        if (DEPTH > 1)
                x = 2;
        pad();
        return arg;
}

static void *reader(void *arg)
{
        int first = x;

        if (DEPTH == 1)
                assert(first != 0);
        if (DEPTH == 2)
                assert(first != 1);
        if (DEPTH == 3) {
                int second = x;
                assert(first != 1 || second != 2);
        }
        pad();
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
