/* Lamport's fast mutual exclusion, with loops that are left after N rounds. */
#include <pthread.h>

static int flag1, flag2, x, y, shared;

#define THREAD(name, me, mine, others)                                  \
        static void *name(void *arg)                                    \
        {                                                               \
                int n1 = 0, n2 = 0, n3 = 0, n4 = 0, seen;               \
                while (n1++ <= N) {                                     \
                        mine = 1;                                       \
                        x = me;                                         \
                        if (y != 0) {                                   \
                                mine = 0;                               \
                                while (y != 0)                          \
                                        if (n2++ > N)                   \
                                                break;                  \
                                continue;                               \
                        }                                               \
                        y = me;                                         \
                        if (x != (me)) {                                \
                                mine = 0;                               \
                                while (others >= 1)                     \
                                        if (n3++ > N)                   \
                                                break;                  \
                                if (y != (me)) {                        \
                                        while (y != 0)                  \
                                                if (n4++ > N)           \
                                                        break;          \
                                        continue;                       \
                                }                                       \
                        }                                               \
                        break;                                          \
                }                                                       \
                shared = me;                                            \
                seen = shared;                                          \
                (void)seen;                                             \
                y = 0;                                                  \
                mine = 0;                                               \
                return arg;                                             \
        }
THREAD(one, 1, flag1, flag2)
THREAD(two, 2, flag2, flag1)

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, 0, one, 0);
        pthread_create(&b, 0, two, 0);
        pthread_join(a, 0);
        pthread_join(b, 0);
        return 0;
}
