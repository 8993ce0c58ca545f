/* A read lock is given up and a write lock taken: what was read may be old. */
#include "bugs.h"

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int next, taken[3];

static void *claim(void *arg)
{
        int mine;

#ifdef FIXED
        pthread_rwlock_wrlock(&l);
        mine = next;
#else
        pthread_rwlock_rdlock(&l);
        mine = next;
        pthread_rwlock_unlock(&l);
        pthread_rwlock_wrlock(&l);
#endif
        next = mine + 1;
        taken[mine]++;
        assert(taken[mine] == 1);
        pthread_rwlock_unlock(&l);
        return arg;
}

int main(void)
{
        RUN(claim, claim);
        return 0;
}
