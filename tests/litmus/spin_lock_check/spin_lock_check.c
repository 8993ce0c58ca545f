/* A loop that looks at a flag under the lock, as polling code does. */
#include <assert.h>

#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int flag;
static int data;

static void *spinner(void *arg)
{
        int seen = 0;

        while (!seen) {
                pthread_mutex_lock(&lock);
                seen = flag;
                pthread_mutex_unlock(&lock);
        }
        assert(data == 42);
        return NULL;
}

static void *setter(void *arg)
{
        data = 42;
        pthread_mutex_lock(&lock);
        flag = 1;
        pthread_mutex_unlock(&lock);
        return NULL;
}

int main(void)
{
        RUN(spinner, setter);
        return 0;
}
