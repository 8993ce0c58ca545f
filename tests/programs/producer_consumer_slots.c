/*
 * The classic producer and consumer: a buffer of SLOTS, semaphores that count what is free and what is full, and a mutex
 * around each step.  Each thread makes ROUNDS rounds.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#ifndef SLOTS
#define SLOTS 5
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef FREE
#define FREE SLOTS /* 0: no thread can begin, a deadlock */
#endif

static sem_t free_slots, full_slots;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int slot[SLOTS], in, out, sum;

static void *producer(void *arg)
{
        for (int i = 1; i <= ROUNDS; i++) {
                sem_wait(&free_slots);
                pthread_mutex_lock(&m);
                slot[in] = i;
                in = (in + 1) % SLOTS;
                pthread_mutex_unlock(&m);
                sem_post(&full_slots);
        }
        return arg;
}

static void *consumer(void *arg)
{
        for (int i = 1; i <= ROUNDS; i++) {
                sem_wait(&full_slots);
                pthread_mutex_lock(&m);
                sum += slot[out];
                out = (out + 1) % SLOTS;
                pthread_mutex_unlock(&m);
                sem_post(&free_slots);
        }
        return arg;
}

int main(void)
{
        pthread_t p, c;

        sem_init(&free_slots, 0, FREE);
        sem_init(&full_slots, 0, 0);
        pthread_create(&p, NULL, producer, NULL);
        pthread_create(&c, NULL, consumer, NULL);
        pthread_join(p, NULL);
        pthread_join(c, NULL);
        assert(sum == ROUNDS * (ROUNDS + 1) / 2);
        return 0;
}
