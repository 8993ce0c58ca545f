/*
 * Each takes one lock, tries the other, and backs off: both may do so forever, in step.  Executions that come back to an
 * earlier state are cut.  The third sees the locks in every state.
 */
#include "../litmus.h"

static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int x, held;

static void take_both(int first)
{
        for (;;) {
                pthread_mutex_lock(&m[first]);
                if (pthread_mutex_trylock(&m[1 - first]) == 0)
                        return;
                pthread_mutex_unlock(&m[first]);
        }
}

static void *worker(void *arg)
{
        take_both(arg != NULL);
        x++;
        pthread_mutex_unlock(&m[0]);
        pthread_mutex_unlock(&m[1]);
        return NULL;
}

#ifdef LOOK
static void *look(void *arg)
{
        for (int i = 0; i < 2; i++)
                if (pthread_mutex_trylock(&m[i]) == 0)
                        pthread_mutex_unlock(&m[i]);
                else
                        held += i + 1;
        return arg;
}
#endif

int main(void)
{
        pthread_t t[3];

        pthread_create(&t[0], NULL, worker, NULL);
        pthread_create(&t[1], NULL, worker, m);
#ifdef LOOK
        pthread_create(&t[2], NULL, look, NULL);
        pthread_join(t[2], NULL);
#endif
        pthread_join(t[0], NULL);
        pthread_join(t[1], NULL);
        return 0;
}
