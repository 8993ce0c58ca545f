/* Two threads wait for one another in turn, three times. */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int ball;

static void *ping(void *arg)
{
        for (int i = 0; i < 3; i++) {
                while (atomic_load(&ball) != 0)
                        ;
                atomic_store(&ball, 1);
        }
        return NULL;
}

static void *pong(void *arg)
{
        for (int i = 0; i < 3; i++) {
                while (atomic_load(&ball) != 1)
                        ;
                atomic_store(&ball, 0);
        }
        return NULL;
}

int main(void)
{
        RUN(ping, pong);
        return 0;
}
