/* Two workers wait for jobs with a deadline, again and again: with timeouts explored there is no longest execution. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct job {
        struct job *next;
        int amount;
};

static struct {
        pthread_mutex_t mutex;
        pthread_cond_t cond;
        struct job *head, **tail;
        int stop;
} queue = {.mutex = PTHREAD_MUTEX_INITIALIZER, .cond = PTHREAD_COND_INITIALIZER, .tail = &queue.head};
static _Atomic int done;

static void push(int amount)
{
        struct job *j = malloc(sizeof *j);

        j->amount = amount;
        j->next = NULL;
        pthread_mutex_lock(&queue.mutex);
        *queue.tail = j;
        queue.tail = &j->next;
        pthread_mutex_unlock(&queue.mutex);
        pthread_cond_signal(&queue.cond);
}

static void *worker(void *arg)
{
        (void)arg;
        for (;;) {
                struct timespec until;
                struct job *j;
                int stop;

                clock_gettime(CLOCK_REALTIME, &until);
                until.tv_sec++;
                pthread_mutex_lock(&queue.mutex);
                while (!queue.head && !queue.stop)
                        if (pthread_cond_timedwait(&queue.cond, &queue.mutex, &until) == ETIMEDOUT)
                                break;
                j = queue.head;
                stop = queue.stop;
                if (j && !(queue.head = j->next))
                        queue.tail = &queue.head;
                pthread_mutex_unlock(&queue.mutex);
                if (!j && stop)
                        return NULL;
                if (j)
                        done += j->amount;
                free(j);
        }
}

int main(void)
{
        pthread_t t[2];

        for (int i = 0; i < 2; i++)
                pthread_create(&t[i], NULL, worker, NULL);
        push(1);
        push(2);
        pthread_mutex_lock(&queue.mutex);
        queue.stop = 1;
        pthread_cond_broadcast(&queue.cond);
        pthread_mutex_unlock(&queue.mutex);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        assert(done == 3);
}
