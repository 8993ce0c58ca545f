/*
 * Who was last is written by libc alone, where no thread sees it, into memory of the program.  It is a part of the state all the
 * same: what the third thread sees later is seen after both.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "../litmus.h"

static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static char text[16];
static atomic_int phase;
int last, seen;

static void *worker(void *arg)
{
        int first = arg != NULL;

        for (;;) {
                pthread_mutex_lock(&m[first]);
                if (pthread_mutex_trylock(&m[1 - first]) == 0)
                        break;
                pthread_mutex_unlock(&m[first]);
        }
        gcvt(first, 3, text);
        pthread_mutex_unlock(&m[0]);
        pthread_mutex_unlock(&m[1]);
        return NULL;
}

static void *look(void *arg)
{
        seen = atomic_load(&phase);
        return arg;
}

int main(void)
{
        pthread_t t[3];

        pthread_create(&t[0], NULL, worker, NULL);
        pthread_create(&t[1], NULL, worker, m);
        pthread_create(&t[2], NULL, look, NULL);
        pthread_join(t[0], NULL);
        pthread_join(t[1], NULL);
        for (int i = 1; i < 4; i++)
                atomic_store(&phase, i);
        pthread_join(t[2], NULL);
        last = text[0] - '0';
        return 0;
}
