/* With other preemption points, the same decisions are other transitions: what is known of their transactions is void. */
#include <immintrin.h>
#include <pthread.h>
#include <unistd.h>

static volatile int at[16] __attribute__((aligned(64)));
unsigned result[3];

static void *one(void *arg)
{
        unsigned h = (unsigned)at[1];

        if (_xbegin() == _XBEGIN_STARTED) {
                if (at[0] == 0)
                        _xabort(249);
                if (at[1] == 2)
                        _xabort(181);
                at[1]++;
                _xend();
        } else {
                at[1] = 1;
        }
        result[0] = h + (unsigned)__atomic_fetch_add(&at[2], 1, __ATOMIC_SEQ_CST);
        return arg;
}

static void *two(void *arg)
{
        unsigned h = 0;

        if (_xbegin() == _XBEGIN_STARTED) {
                h += (unsigned)at[0];
                h += (unsigned)__atomic_fetch_add(&at[2], 1, __ATOMIC_SEQ_CST);
                if (at[1] == 0)
                        getppid();
                _xend();
        }
        result[1] = h;
        return arg;
}

static void *three(void *arg)
{
        unsigned h = 0;

        at[2] = 2;
        if (_xbegin() == _XBEGIN_STARTED) {
                at[1]++;
                _xend();
        } else {
                h += (unsigned)at[1];
        }
        result[2] = h;
        return arg;
}

int main(void)
{
        void *(*const all[])(void *) = {one, two, three};
        pthread_t t[3];

        for (int i = 0; i < 3; i++)
                pthread_create(&t[i], 0, all[i], 0);
        for (int i = 0; i < 3; i++)
                pthread_join(t[i], 0);
}
