/* Named semaphores: two who open the same name have the same one, and only one of them creates it. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>

#include "../litmus.h"

int creator;

static void *opens(void *arg)
{
        sem_t *s = sem_open("/heddle-litmus", O_CREAT | O_EXCL, 0600, 0), *again;

        if (s == SEM_FAILED) {
                assert(errno == EEXIST);
                s = sem_open("/heddle-litmus", 0);
                assert(s != SEM_FAILED);
                sem_post(s);
        } else {
                creator++;
                again = sem_open("heddle-litmus", O_CREAT, 0600, 7);
                assert(again == s);
                sem_wait(s);
                assert(sem_close(again) == 0);
        }
        assert(sem_close(s) == 0);
        return arg;
}

int main(void)
{
        sem_t *s;
        int value = 0;

        assert(sem_open("/heddle-litmus", 0) == SEM_FAILED && errno == ENOENT);
        assert(sem_open("/a/b", O_CREAT, 0600, 0) == SEM_FAILED && errno == EINVAL);
        assert(sem_open("/c", O_CREAT, 0600, (unsigned)SEM_VALUE_MAX + 1) == SEM_FAILED && errno == EINVAL);
        assert(sem_unlink("/heddle-litmus") == -1 && errno == ENOENT);
        RUN(opens, opens);
        assert(creator == 1);
        assert(sem_unlink("/heddle-litmus") == 0);
        s = sem_open("/heddle-litmus", O_CREAT, 0600, SEM_VALUE_MAX);
        assert(sem_getvalue(s, &value) == 0 && value == SEM_VALUE_MAX);
        assert(sem_post(s) == -1 && errno == EOVERFLOW);
        assert(sem_close(s) == 0 && sem_close(s) == -1 && errno == EINVAL);
        return 0;
}
