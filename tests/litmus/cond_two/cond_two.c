/*
 * Two waiters A, B and two signallers S, S.  A waiter sleeps (once, without a loop) unless both signals were sent before
 * it came; a signal wakes any one of those asleep, or no thread.  The orders of the first critical sections, by hand:
 *
 *     A B S S   both sleep; the first signal wakes either, the second the other          slept 1,1; rank 1,2 or 2,1
 *     A S B S   A is woken, B sleeps, is woken; A may get the lock after B all the same   slept 1,1; rank 1,2 or 2,1
 *     A S S B   A is woken, the second signal is lost, B does not sleep                   slept 1,0; rank 1,2 or 2,1
 *     S A B S   both sleep with one signal to come: one sleeps forever                   deadlock
 *     S A S B   A is woken, B does not sleep                                              slept 1,0; rank 1,2 or 2,1
 *     S S A B   no thread sleeps                                                             slept 0,0; rank 1,2
 *
 * and the same with A and B exchanged.
 */
#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int signals, ranks;
int slept[2], rank[2];

static void wait_once(int me)
{
        pthread_mutex_lock(&lock);
        if (signals < 2) {
                slept[me] = 1;
                pthread_cond_wait(&cond, &lock);
        }
        rank[me] = ++ranks;
        pthread_mutex_unlock(&lock);
}

static void *waiter_a(void *arg)
{
        wait_once(0);
        return NULL;
}

static void *waiter_b(void *arg)
{
        wait_once(1);
        return NULL;
}

static void *signaller(void *arg)
{
        pthread_mutex_lock(&lock);
        signals++;
        pthread_cond_signal(&cond);
        pthread_mutex_unlock(&lock);
        return NULL;
}

int main(void)
{
        RUN(waiter_a, waiter_b, signaller, signaller);
        return 0;
}
