/* What a thread does to a mapping changes the memory that another one reads. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

#ifndef CHANGE
#define CHANGE madvise(p, 4096, MADV_DONTNEED)
#endif

static char *p, *q;
int seen;

static void *reads(void *arg)
{
        seen = *(volatile char *)p;
        return arg;
}

static void *changes(void *arg)
{
        CHANGE;
        return arg;
}

int main(void)
{
        pthread_t a, b;

        p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        q = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        *p = 1;
        pthread_create(&a, NULL, reads, NULL);
        pthread_create(&b, NULL, changes, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
