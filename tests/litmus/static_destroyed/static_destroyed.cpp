/* A static local is destroyed at exit if it was made before; another thread may still use it. */
#include <cassert>
#include <pthread.h>

struct value {
        int v = 1;
        ~value()
        {
                v = 0;
        }
};

static value &get()
{
        static value it;
        return it;
}

static void *uses(void *arg)
{
        assert(get().v == 1);
        return arg;
}

int main()
{
        pthread_t a, b;

        pthread_create(&a, nullptr, uses, nullptr);
        pthread_create(&b, nullptr, uses, nullptr);
        return 0;
}
