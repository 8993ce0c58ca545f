/* Double-checked locking that publishes the object before it is complete. */
#include "bugs.h"

struct config {
        int size;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct config *_Atomic shared;

static struct config *get(void)
{
        struct config *c = shared;

        if (c)
                return c;
        pthread_mutex_lock(&m);
        c = shared;
        if (!c) {
                c = malloc(sizeof *c);
#ifdef FIXED
                c->size = 7;
                shared = c;
#else
                shared = c;
                c->size = 7;
#endif
        }
        pthread_mutex_unlock(&m);
        return c;
}

static void *user(void *arg)
{
        assert(get()->size == 7);
        return arg;
}

int main(void)
{
        RUN(user, user);
        return 0;
}
