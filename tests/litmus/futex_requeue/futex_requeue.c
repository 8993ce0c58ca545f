/*
 * Two waiters on one word; one is woken, the other moved to a second word and woken there.  Then two of three are woken
 * at once, any two.
 */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../litmus.h"

static int word, other;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int waiting;
int woken, moved, again, mismatch;

static void *waiter(void *arg)
{
        pthread_mutex_lock(&lock);
        waiting++;
        pthread_mutex_unlock(&lock);
        if (syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 0, NULL, NULL, 6) == 0)
                return NULL;
        return NULL;
}

int main(void)
{
        pthread_t t[2];

        for (int i = 0; i < 2; i++)
                pthread_create(&t[i], NULL, waiter, NULL);
        while (moved < 2)
                moved += (int)syscall(SYS_futex, &word, FUTEX_CMP_REQUEUE, 0, INT_MAX, &other, 0);
        mismatch = syscall(SYS_futex, &word, FUTEX_CMP_REQUEUE, 1, INT_MAX, &other, 7) == -1 && errno == EAGAIN;
        woken = (int)syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
        again = (int)syscall(SYS_futex, &other, FUTEX_WAKE_BITSET, INT_MAX, NULL, NULL, 1) * 100;
        again += (int)syscall(SYS_futex, &other, FUTEX_WAKE_BITSET, 1, NULL, NULL, 2) * 10;
        again += (int)syscall(SYS_futex, &other, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        return 0;
}
