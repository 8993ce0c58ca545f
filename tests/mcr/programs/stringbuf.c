/* StringBuf, on lengths: one thread appends the second buffer to the first, another deletes all of the first. */
#include <pthread.h>

static int length[2] = {1, 1};
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static int length_of(int i)
{
        int n;

        pthread_mutex_lock(&m[i]);
        n = length[i];
        pthread_mutex_unlock(&m[i]);
        return n;
}

static void *append(void *arg)
{
        int n;

        pthread_mutex_lock(&m[0]);
        n = length_of(1);
        length[0] += n <= length_of(1) ? n : 0; /* its characters are copied */
        pthread_mutex_unlock(&m[0]);
        return arg;
}

static void *delete (void *arg)
{
        int n = length_of(0);

        pthread_mutex_lock(&m[0]);
        length[0] -= n;
        pthread_mutex_unlock(&m[0]);
        return arg;
}

int main(void)
{
        pthread_t t[2];

        pthread_create(&t[0], 0, append, 0);
        pthread_create(&t[1], 0, delete, 0);
        pthread_join(t[0], 0);
        pthread_join(t[1], 0);
        return 0;
}
