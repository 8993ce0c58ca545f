/* A thread that does nothing visible is in no segment of a schedule, but must have ended when it is joined; so must what
 * another does unseen at its end. */
#include <assert.h>
#include <pthread.h>

static int own, later, shared;

static void *unseen(void *arg)
{
        own++;
        own++;
        return arg;
}

static void *adds(void *arg)
{
        int v = shared;

        shared = v + 1;
        if (arg) {
                later++;
                later++;
        }
        return arg;
}

int main(void)
{
        pthread_t t[3];

        pthread_create(&t[0], NULL, unseen, NULL);
        pthread_create(&t[1], NULL, adds, &own);
        pthread_create(&t[2], NULL, adds, NULL);
        for (int i = 0; i < 3; i++)
                pthread_join(t[i], NULL);
        assert(shared == 2);
        return 0;
}
