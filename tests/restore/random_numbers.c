/* Every generator of random numbers of libc continues from where main left it. */
#include "restore.h"

#include <sys/random.h>

static int a;
static long b;
static double c;

static void odd(long n)
{
        unsigned seed = 5;
        char bytes[16];

        if (n == 0) {
                assert(rand() == a);
                assert(random() == b);
                srand(99);
        } else {
                assert(drand48() == c);
                srand48(4);
                rand_r(&seed);
                assert(getrandom(bytes, sizeof bytes, 0) == sizeof bytes);
        }
}

int main(void)
{
        static char states[2][128];

        initstate(7, states[0], sizeof states[0]);
        a = rand();
        b = random();
        initstate(7, states[1], sizeof states[1]);
        srand48(3);
        c = drand48();
        srand48(3);
        restore_run();
        return 0;
}
