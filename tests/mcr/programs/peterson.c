/* Peterson's mutual exclusion with a loop that is left after N rounds. */
#include <pthread.h>

static int flag1, flag2, turn, x;

#define THREAD(name, me, mine, others, number)                   \
        static void *name(void *arg)                             \
        {                                                        \
                int counter = 0;                                 \
                mine = 1;                                        \
                turn = number;                                   \
                while (others == 1 && turn == number)            \
                        if (counter++ > N)                       \
                                break;                           \
                x = me;                                          \
                mine = 0;                                        \
                return arg;                                      \
        }
THREAD(one, 1, flag1, flag2, 2)
THREAD(two, 2, flag2, flag1, 1)

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, 0, one, 0);
        pthread_create(&b, 0, two, 0);
        pthread_join(a, 0);
        pthread_join(b, 0);
        return 0;
}
