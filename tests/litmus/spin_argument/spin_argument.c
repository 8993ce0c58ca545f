/* A loop that changes what an argument points to, above the frame of main(): no round equals the one before. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
int rounds;

static void *sets(void *arg)
{
        atomic_store(&flag, 1);
        return arg;
}

int main(int argc, char **argv)
{
        pthread_t t;

        (void)argc;
        argv[0][0] = '0';
        pthread_create(&t, NULL, sets, NULL);
        while (!atomic_load(&flag) && argv[0][0] != '4')
                argv[0][0]++;
        pthread_join(t, NULL);
        rounds = argv[0][0] - '0';
        return 0;
}
