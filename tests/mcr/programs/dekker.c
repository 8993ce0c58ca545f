/* Dekker's mutual exclusion with loops that are left after N rounds. */
#include <pthread.h>

static int flag1, flag2, turn = 1, x;

#define THREAD(name, me, other, mine, others)                     \
        static void *name(void *arg)                              \
        {                                                         \
                int outer = 0, inner = 0, seen;                   \
                mine = 1;                                         \
                while (others == 1) {                             \
                        if (outer++ > N)                          \
                                break;                            \
                        if (turn != (me)) {                       \
                                mine = 0;                         \
                                while (turn != (me))              \
                                        if (inner++ > N)          \
                                                break;            \
                                mine = 1;                         \
                        }                                         \
                }                                                 \
                x = me;                                           \
                seen = x;                                         \
                (void)seen;                                       \
                turn = other;                                     \
                mine = 0;                                         \
                return arg;                                       \
        }
THREAD(one, 1, 2, flag1, flag2)
THREAD(two, 2, 1, flag2, flag1)

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, 0, one, 0);
        pthread_create(&b, 0, two, 0);
        pthread_join(a, 0);
        pthread_join(b, 0);
        return 0;
}
