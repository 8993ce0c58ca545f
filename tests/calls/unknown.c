/* A function of libc that changes memory in ways that are not known: the result says so. */
#include <pthread.h>
#include <search.h>

static void *root;

static int compare(const void *a, const void *b)
{
        return (a > b) - (a < b);
}

static void *insert(void *key)
{
        tsearch(key, &root, compare);
        return NULL;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, NULL, insert, (void *)8);
        pthread_create(&b, NULL, insert, (void *)16);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
