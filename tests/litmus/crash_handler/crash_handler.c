/* A program's own handler for crashes runs as without heddle: it leaves by siglongjmp, or repairs and returns. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

static __thread sigjmp_buf env;
static int x;

static void jump(int sig)
{
        siglongjmp(env, sig);
}

static void count(int sig)
{
        x += sig;
}

static int can_write(volatile char *p)
{
        if (sigsetjmp(env, 1))
                return 0;
        *p = 1;
        return 1;
}

static void *thread(void *arg)
{
        x++;
        assert(!can_write(arg));
        return NULL;
}

int main(void)
{
        struct sigaction act = {.sa_handler = jump};
        pthread_t t;
        char c;

        sigaction(SIGSEGV, &act, NULL);
        sigaction(SIGABRT, &act, NULL);
        pthread_create(&t, NULL, thread, NULL);
        assert(can_write(&c) && !can_write(NULL));
        pthread_join(t, NULL);
        if (sigsetjmp(env, 1) == 0)
                abort();
        signal(SIGSEGV, count);
        raise(SIGSEGV);
        assert(x == 1 + SIGSEGV);
#ifdef DIE
        signal(SIGSEGV, SIG_DFL);
        *(volatile char *)NULL = 1;
#endif
        return 0;
}
