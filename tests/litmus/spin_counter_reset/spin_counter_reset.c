/* A loop that counts its rounds, yields after three, and counts again. */
#include <assert.h>
#include <sched.h>
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int flag;
static int data;

static void *spinner(void *arg)
{
        int rounds = 0;

        while (!atomic_load(&flag)) {
                if (++rounds == 3) {
                        sched_yield();
                        rounds = 0;
                }
        }
        assert(data == 42);
        return NULL;
}

static void *setter(void *arg)
{
        data = 42;
        atomic_store(&flag, 1);
        return NULL;
}

int main(void)
{
        RUN(spinner, setter);
        return 0;
}
