/* The reader may see the pointer that the writer sets for a moment. */
#include <pthread.h>
#include <stdio.h>

static int value, *pointer = &value;
static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER, writing = PTHREAD_MUTEX_INITIALIZER;

static void use(int *from)
{
        pthread_mutex_lock(&reading);
        *pointer = *from;
        pthread_mutex_unlock(&reading);
}

static void *reader(void *arg)
{
        int local = 3;

        (void)arg;
        fprintf(stderr, "local is at %p\n", (void *)&local);
        use(&local);
        return NULL;
}

static void *writer(void *arg)
{
        (void)arg;
        pthread_mutex_lock(&writing);
        pointer = (int *)8;
        pointer = &value;
        pthread_mutex_unlock(&writing);
        return NULL;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, NULL, reader, NULL);
        pthread_create(&b, NULL, writer, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
