/* A bounded buffer whose producers and consumers share one condition variable, and check it once: `if` where `while` is needed. */
#include <assert.h>
#include <pthread.h>

#define SLOTS 2
#define ITEMS 4

static int slots[SLOTS], count, in, out, sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void put(int v)
{
        pthread_mutex_lock(&lock);
        if (count == SLOTS)
                pthread_cond_wait(&changed, &lock);
        assert(count < SLOTS);
        slots[in] = v;
        in = (in + 1) % SLOTS;
        count++;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
}

static int get(void)
{
        int v;

        pthread_mutex_lock(&lock);
        if (count == 0)
                pthread_cond_wait(&changed, &lock);
        assert(count > 0);
        v = slots[out];
        out = (out + 1) % SLOTS;
        count--;
        sum += v;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
        return v;
}

static void *producer(void *arg)
{
        for (int i = 0; i < ITEMS; i++)
                put(i);
        return arg;
}

static void *consumer(void *arg)
{
        for (int i = 0; i < ITEMS; i++)
                if (get() < 0)
                        break;
        return arg;
}

int main(void)
{
        pthread_t t[4];

        for (int i = 0; i < 4; i++)
                pthread_create(&t[i], NULL, i % 2 ? producer : consumer, NULL);
        for (int i = 0; i < 4; i++)
                pthread_join(t[i], NULL);
        return 0;
}
