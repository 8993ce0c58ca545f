// The shadow call stack of functions that keep it by themselves: what a failure says of its callers.
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <assert.h>

static int many, depth;
static jmp_buf back;
int *volatile shared = &many;

__attribute__((noinline)) static void fails(int n)
{
        ++*shared;
        assert(n != 3);
        ++*shared;
}

__attribute__((noinline)) static int below(int n)
{
        ++*shared;
        int r = n ? below(n - 1) + 1 : 0;
        ++*shared;
        return r;
}

__attribute__((noinline)) static void throws(int n)
{
        ++*shared;
        if (!n)
                throw 1;
        throws(n - 1);
        ++*shared;
}

__attribute__((noinline)) static void jumps(int n)
{
        ++*shared;
        if (!n)
                longjmp(back, 1);
        jumps(n - 1);
        ++*shared;
}

__attribute__((noinline)) static void catches(void)
{
        ++*shared;
        try {
                throws(5);
        } catch (int) {
                ++*shared;
        }
        if (!setjmp(back))
                jumps(5);
        depth = below(DEPTH);
}

__attribute__((noinline)) static void outer(void)
{
        ++*shared;
        catches();
        fails(3);
        ++*shared;
}

static void *work(void *a)
{
        outer();
        return a;
}

int main()
{
        pthread_t t;

        pthread_create(&t, nullptr, work, nullptr);
        pthread_join(t, nullptr);
        return 0;
}
