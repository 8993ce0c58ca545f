/* Attributes of a thread that another thread writes: other threads run before and after they are read, not while the new thread
 * is half made. */
#include <assert.h>
#include <pthread.h>

static pthread_attr_t attributes;
static int n;

static void *leaf(void *arg)
{
        n = 1;
        return arg;
}

static void *middle(void *arg)
{
        pthread_t t;

        pthread_create(&t, &attributes, leaf, arg);
        pthread_join(t, NULL);
        return arg;
}

int main(void)
{
        pthread_t t;

        pthread_attr_init(&attributes);
        pthread_create(&t, &attributes, middle, NULL);
        pthread_attr_setguardsize(&attributes, 4096);
        pthread_join(t, NULL);
        assert(n == 1);
        return 0;
}
