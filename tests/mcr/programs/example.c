/* Example(N), figure 3.9a: the writer is the main thread. */
#include <pthread.h>

static int x, y, z;

static void *reader(void *arg)
{
        int seen = 0;

        for (int i = 0; i < N; i++)
                if (z == 1 && x + 1 != y)
                        seen += x + y;
        (void)seen;
        return arg;
}

int main(void)
{
        pthread_t t;

        pthread_create(&t, 0, reader, 0);
        for (int i = 0; i < N; i++) {
                z = 0;
                x = 0;
                y = 0;
                x = 2;
                y = 3;
                z = 1;
        }
        pthread_join(t, 0);
        return 0;
}
