/*
 * Appendix A.6 of Florian's SCALE thesis: two threads read, compute and write back, each access under the lock but not
 * the whole.  The four critical sections have six orders; only one, everything of `doubler` before everything of
 * `adder`, ends with 5, and tools that always let main continue first miss it.
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x = 2;

static int get(void)
{
        int value;

        pthread_mutex_lock(&lock);
        value = x;
        pthread_mutex_unlock(&lock);
        return value;
}

static void set(int value)
{
        pthread_mutex_lock(&lock);
        x = value;
        pthread_mutex_unlock(&lock);
}

static void *adder(void *arg)
{
        (void)arg;
        set(get() + 1);
        return NULL;
}

static void *doubler(void *arg)
{
        (void)arg;
        set(get() * 2);
        return NULL;
}

int main(void)
{
        pthread_t thread;

        pthread_create(&thread, NULL, doubler, NULL);
        adder(NULL);
        pthread_join(thread, NULL);
        assert(x != 5);
        return 0;
}
