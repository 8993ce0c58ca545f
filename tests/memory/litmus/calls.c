/*
 * Store buffering with a call between store and load: does it wait until the store has reached memory?
 *
 *     -DCALL=MUTEX, SPIN, SIGNAL, SEM, ONCE, JOIN; TRYWAIT, TRYREAD, TRYWRITE: a try that fails, RECURSIVE: of a mutex that the
 *     thread holds
 */
#include <pthread.h>
#include <semaphore.h>

#include "../../litmus/litmus.h"

#define MUTEX     1
#define SPIN      2
#define SIGNAL    3
#define SEM       4
#define ONCE      5
#define JOIN      6
#define TRYWAIT   7
#define TRYREAD   8
#define TRYWRITE  9
#define RECURSIVE 10

static volatile int x, y;
int r1, r2;
static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t conds[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static pthread_spinlock_t spinlocks[2];
static sem_t sems[2];
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER; /* main has it */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_t ended[2];

static void nothing(void)
{
}

static void *end(void *arg)
{
        return arg;
}

static void before(int me)
{
        if (CALL == SPIN)
                pthread_spin_lock(&spinlocks[me]);
        else if (CALL == RECURSIVE)
                pthread_mutex_lock(&mutexes[me]);
}

/* Of a kind that no other thread is concerned with. */
static void call(int me)
{
        if (CALL == MUTEX) {
                pthread_mutex_lock(&mutexes[me]);
                pthread_mutex_unlock(&mutexes[me]);
        } else if (CALL == SPIN) {
                pthread_spin_unlock(&spinlocks[me]);
        } else if (CALL == SIGNAL) {
                pthread_cond_signal(&conds[me]);
        } else if (CALL == SEM) {
                sem_post(&sems[me]);
        } else if (CALL == ONCE) {
                pthread_once(&once, nothing);
        } else if (CALL == JOIN) {
                pthread_join(ended[me], NULL);
        } else if (CALL == TRYWAIT) {
                sem_trywait(&sems[me]);
        } else if (CALL == TRYREAD) {
                pthread_rwlock_tryrdlock(&rwlock);
        } else if (CALL == TRYWRITE) {
                pthread_rwlock_trywrlock(&rwlock);
        } else if (CALL == RECURSIVE) {
                pthread_mutex_lock(&mutexes[me]);
                pthread_mutex_unlock(&mutexes[me]);
        }
}

static void after(int me)
{
        if (CALL == RECURSIVE)
                pthread_mutex_unlock(&mutexes[me]);
}

static void *left(void *arg)
{
        before(0);
        x = 1;
        call(0);
        r1 = y;
        after(0);
        return arg;
}

static void *right(void *arg)
{
        before(1);
        y = 1;
        call(1);
        r2 = x;
        after(1);
        return arg;
}

int main(void)
{
        pthread_mutexattr_t attr;

        pthread_mutexattr_init(&attr);
        pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
        pthread_rwlock_wrlock(&rwlock);
        for (int i = 0; i < 2; i++) {
                if (CALL == RECURSIVE)
                        pthread_mutex_init(&mutexes[i], &attr);
                pthread_spin_init(&spinlocks[i], PTHREAD_PROCESS_PRIVATE);
                sem_init(&sems[i], 0, 0);
                if (CALL == JOIN)
                        pthread_create(&ended[i], NULL, end, NULL);
        }
        pthread_once(&once, nothing);
        RUN(left, right);
}
