/* The first executions have no transition that touches more than one variable: when one has, everything begins again. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int go;
static int x, y;

static void *work(void *arg)
{
        if (!atomic_load(&go)) {
                pthread_mutex_lock(&m);
                x++;
                if (x == 2)
                        y = *(int *)arg;
                pthread_mutex_unlock(&m);
        }
        return NULL;
}

int main(void)
{
        pthread_t t[3];
        int id[3] = {1, 2, 3};

        for (int i = 0; i < 3; i++)
                pthread_create(&t[i], NULL, work, &id[i]);
        atomic_store(&go, 1);
        for (int i = 0; i < 3; i++)
                pthread_join(t[i], NULL);
        return 0;
}
