/* Two writes of the same value to a variable on main's stack: a race that nothing comes of. */
#include <pthread.h>

static void *set(void *arg)
{
        *(int *)arg = 1;
        return NULL;
}

int main(void)
{
        pthread_t a, b;
        int flag = 0;

        pthread_create(&a, NULL, set, &flag);
        pthread_create(&b, NULL, set, &flag);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return !flag;
}
