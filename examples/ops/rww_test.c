/* READERS readers and two writers, each once (readers and writers of table 8 of the McMini paper: one reader). */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#include "rww.h"

#ifndef READERS
#define READERS 1
#endif
static struct rww lock;
static int a, b;

static void *reader(void *arg)
{
        rww_read_lock(&lock);
        assert(a == b);
        rww_read_unlock(&lock);
        return arg;
}

static void *writer(void *arg)
{
        rww_write_lock(&lock, (int)(intptr_t)arg);
        a++;
        b++;
        rww_write_unlock(&lock);
        return NULL;
}

int main(void)
{
        pthread_t t[READERS + 2];

        for (int i = 0; i < READERS; i++)
                pthread_create(&t[i], NULL, reader, NULL);
        for (int i = 0; i < 2; i++)
                pthread_create(&t[READERS + i], NULL, writer, (void *)(intptr_t)(i + 1));
        for (int i = 0; i < READERS + 2; i++)
                pthread_join(t[i], NULL);
        assert(a == 2 && b == 2);
        return 0;
}
