/* Peterson's and the bakery algorithm with loops that are left after N rounds (-DPETERSON, -DBAKERY), and RVExample (-DRV): each with
 * an assertion that few schedules violate. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define N 4

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int x, y, flag[2], number[2], turn;

#if defined(PETERSON)
static void enter(int i)
{
        flag[i] = 1;
        turn = !i;
        for (int n = 0; flag[!i] && turn == !i; n++)
                if (n > N)
                        break;
}

static void leave(int i)
{
        flag[i] = 0;
}
#else
static void enter(int i)
{
        int n1 = 0, n2 = 0, max = 0;

        flag[i] = 1;
        for (int k = 0; k < 2; k++)
                if (number[k] > max)
                        max = number[k];
        number[i] = 1 + max;
        flag[i] = 0;
        while (flag[!i] == 1)
                if (n1++ > N)
                        break;
        while (number[!i] != 0 && (number[!i] < number[i] || (number[!i] == number[i] && i)))
                if (n2++ > N)
                        break;
}

static void leave(int i)
{
        number[i] = 0;
}
#endif

#ifdef RV
static void *run(void *arg)
{
        for (int i = 0; i < 2; i++) {
                if (arg) {
                        if (x > 1) {
                                assert(y != 3);
                                y = 2;
                        }
                        continue;
                }
                pthread_mutex_lock(&m);
                x = 0;
                pthread_mutex_unlock(&m);
                if (x > 0) {
                        y++;
                        x = 2;
                }
        }
        return NULL;
}

static void more(void)
{
        for (int i = 0; i < 2; i++) {
                pthread_mutex_lock(&m);
                x = 1;
                y = i + 1;
                pthread_mutex_unlock(&m);
        }
}
#else
static void *run(void *arg)
{
        int i = (int)(intptr_t)arg;

        enter(i);
        x = i;
        assert(x == i);
        leave(i);
        return NULL;
}

static void more(void)
{
}
#endif

int main(void)
{
        pthread_t t[2];

        for (intptr_t i = 0; i < 2; i++)
                pthread_create(&t[i], NULL, run, (void *)i);
        more();
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        (void)enter;
        (void)leave;
        return 0;
}
