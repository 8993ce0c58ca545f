/* A spin loop over a semaphore. */
#include <assert.h>
#include <semaphore.h>

#include "../litmus.h"

static sem_t sem; /* all zero: a semaphore of value 0 */
static int data;

static void *spinner(void *arg)
{
        while (sem_trywait(&sem) != 0)
                ;
        assert(data == 42);
        return NULL;
}

static void *setter(void *arg)
{
        data = 42;
        sem_post(&sem);
        return NULL;
}

int main(void)
{
        RUN(spinner, setter);
        return 0;
}
