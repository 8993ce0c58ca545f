/* A barrier of one's own, used twice: the count is set back by the thread that leaves first. */
#include "bugs.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int arrived, round_number, phase[2];

static void meet(void)
{
        pthread_mutex_lock(&m);
#ifdef FIXED
        int mine = round_number;
        if (++arrived == 2) {
                arrived = 0;
                round_number++;
                pthread_cond_broadcast(&c);
        }
        while (mine == round_number)
                pthread_cond_wait(&c, &m);
#else
        if (++arrived == 2)
                pthread_cond_broadcast(&c);
        while (arrived < 2)
                pthread_cond_wait(&c, &m);
        arrived = 0;
#endif
        pthread_mutex_unlock(&m);
}

static void *work(void *arg)
{
        phase[(size_t)arg] = 1;
        meet();
        assert(phase[0] && phase[1]);
        return arg;
}

int main(void)
{
        RUN(work, work);
        return 0;
}
