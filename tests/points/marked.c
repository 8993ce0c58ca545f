/* Attributes: a lock of the program's own, code that is trusted, a variable that is ignored. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include <heddle/heddle.h>

static atomic_int taken;
static int counter;
HEDDLE_IGNORE int hits;

HEDDLE_LOCK static void lock(void)
{
#ifdef BROKEN
        while (atomic_load(&taken))
                ;
        atomic_store(&taken, 1);
#else
        while (atomic_exchange(&taken, 1))
                ;
#endif
}

HEDDLE_LOCK static void unlock(void)
{
        atomic_store(&taken, 0);
}

HEDDLE_TRUST static void note(void)
{
        static int notes;

        notes++;
}

static void *run(void *arg)
{
        lock();
        counter++;
        unlock();
        note();
        hits++;
        return arg;
}

int main(void)
{
        pthread_t t;

        pthread_create(&t, NULL, run, NULL);
        run(NULL);
        pthread_join(t, NULL);
        assert(counter == 2);
        return 0;
}
