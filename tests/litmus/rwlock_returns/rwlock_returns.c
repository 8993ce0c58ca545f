/* What the calls of a read-write lock return when no other thread is there. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void)
{
        pthread_rwlock_t l;
        pthread_rwlockattr_t attr;
        int kinds[] = {PTHREAD_RWLOCK_PREFER_READER_NP, PTHREAD_RWLOCK_PREFER_WRITER_NP,
                       PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP};

        pthread_rwlockattr_init(&attr);
        for (int i = 0; i < 3; i++) {
                assert(pthread_rwlockattr_setkind_np(&attr, kinds[i]) == 0);
                assert(pthread_rwlock_init(&l, &attr) == 0);
                assert(pthread_rwlock_rdlock(&l) == 0 && pthread_rwlock_rdlock(&l) == 0);
                assert(pthread_rwlock_tryrdlock(&l) == 0 && pthread_rwlock_trywrlock(&l) == EBUSY);
                for (int k = 0; k < 3; k++)
                        assert(pthread_rwlock_unlock(&l) == 0);
                assert(pthread_rwlock_wrlock(&l) == 0);
                assert(pthread_rwlock_wrlock(&l) == EDEADLK && pthread_rwlock_rdlock(&l) == EDEADLK);
                assert(pthread_rwlock_tryrdlock(&l) == EBUSY && pthread_rwlock_trywrlock(&l) == EBUSY);
                assert(pthread_rwlock_unlock(&l) == 0);
                assert(pthread_rwlock_trywrlock(&l) == 0 && pthread_rwlock_unlock(&l) == 0);
                assert(pthread_rwlock_destroy(&l) == 0);
        }
        return 0;
}
