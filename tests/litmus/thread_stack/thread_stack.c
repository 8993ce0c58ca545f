/* The size of a stack is that of the attributes, large ones included. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>

int x;

static size_t size_of_mine(void)
{
        pthread_attr_t attr;
        size_t size;
        void *low;
        char here;

        pthread_getattr_np(pthread_self(), &attr);
        pthread_attr_getstack(&attr, &low, &size);
        pthread_attr_destroy(&attr);
        assert(&here > (char *)low && &here < (char *)low + size);
        return size;
}

static void *small(void *arg)
{
        assert(size_of_mine() == 1 << 16);
        x++;
        return NULL;
}

static void *large(void *arg)
{
        volatile char room[20 << 20];

        room[0] = room[sizeof room - 1] = 1;
        assert(size_of_mine() == 32 << 20);
        x++;
        return NULL;
}

int main(void)
{
        pthread_attr_t attr;
        pthread_t t[2];
        size_t size;

        pthread_attr_init(&attr);
        pthread_attr_setstacksize(&attr, 1 << 16);
        pthread_create(&t[0], &attr, small, NULL);
        pthread_attr_setstacksize(&attr, 32 << 20);
        pthread_attr_getstacksize(&attr, &size);
        assert(size == 32 << 20);
        pthread_create(&t[1], &attr, large, NULL);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        return 0;
}
