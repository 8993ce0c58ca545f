/* errx in a thread ends the program: what main does after the thread is never done. */
#include <assert.h>
#include <err.h>
#include <pthread.h>

static void *thread(void *arg)
{
        errx(0, "bye");
        return arg;
}

int main(void)
{
        pthread_t t;

        pthread_create(&t, NULL, thread, NULL);
        pthread_join(t, NULL);
        assert(!"reached");
        return 0;
}
