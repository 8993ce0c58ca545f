/*
 * Two conflicts that exclude each other: each thread may abort because of what the other did before its own transaction, but not
 * both.  The one that is refused may have a cause later.
 */
#include <immintrin.h>
#include <pthread.h>

static volatile int a __attribute__((aligned(64))), b __attribute__((aligned(64)));
static unsigned first __attribute__((aligned(64))), second;

static void *one(void *arg)
{
        unsigned status, seen = (unsigned)a;

        for (int i = 0; i < 2; i++) {
                status = _xbegin();
                if (status == _XBEGIN_STARTED) {
                        b = 1;
                        _xend();
                        break;
                }
                seen = seen * 31 + status;
        }
        if (_xbegin() == _XBEGIN_STARTED) {
                b = 1;
                seen = seen * 31 + (unsigned)a++;
                _xend();
        }
        first = seen;
        return arg;
}

static void *other(void *arg)
{
        b = 2;
        if (_xbegin() == _XBEGIN_STARTED) {
                second = 1 + (unsigned)a++;
                _xend();
        } else {
                a = 2;
        }
        return arg;
}

int main(void)
{
        pthread_t p, q;

        pthread_create(&p, NULL, one, NULL);
        pthread_create(&q, NULL, other, NULL);
        pthread_join(p, NULL);
        pthread_join(q, NULL);
        return first == 99 && second == 99;
}
