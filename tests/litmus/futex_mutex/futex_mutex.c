/*
 * The mutex of Drepper's "Futexes are tricky" (mutex2): 0 free, 1 taken, 2 taken and a thread may wait.
 * With BROKEN a thread that has waited takes the lock as if no other thread did: the third sleeps forever.
 */
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../litmus.h"

#ifndef BROKEN
#define BROKEN 0
#endif

static atomic_int lock;
int x;

static int cas(int from, int to)
{
        atomic_compare_exchange_strong(&lock, &from, to);
        return from;
}

static void take(void)
{
        int c = cas(0, 1);

        if (c == 0)
                return;
        do {
                if (c == 2 || cas(1, 2) != 0)
                        syscall(SYS_futex, &lock, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
        } while ((c = cas(0, BROKEN ? 1 : 2)) != 0);
}

static void give(void)
{
        if (atomic_fetch_sub(&lock, 1) != 1) {
                atomic_store(&lock, 0);
                syscall(SYS_futex, &lock, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
        }
}

static void *worker(void *arg)
{
        take();
        x++;
        give();
        return NULL;
}

int main(void)
{
#if BROKEN
        RUN(worker, worker, worker);
#else
        RUN(worker, worker);
#endif
        return 0;
}
