/*
 * Wrong uses of memory, chosen by -DCASE=N; heap.tsv says what must be reported of each.  HERE is where it happens, MADE
 * where the block was allocated, FREED where it was freed.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREAD(name) static void *name(void *arg)

static char *volatile shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int sink;

#if CASE == 0 /* nothing wrong */
THREAD(one)
{
        char *p = malloc(13), *q = calloc(3, 5), *r = aligned_alloc(64, 100);
        for (int i = 0; i < 13; i++)
                p[i] = (char)i;
        p = realloc(p, 1000);
        memset(p, 1, 1000);
        p = realloc(p, 7);
        for (int i = 0; i < 7; i++)
                p[i]++;
        strcpy(q, "fourteen chars");
        memset(r, 1, 100);
        free(p);
        for (int i = 0; i < 50; i++) {
                p = malloc(1 << 14);
                p[(1 << 14) - 1] = 1;
                free(p);
        }
        pthread_mutex_lock(&lock);
        free(shared);
        shared = q;
        pthread_mutex_unlock(&lock);
        free(r);
        return NULL;
}
#define two one
#define FINALLY free(shared)
#elif CASE == 1 /* one thread frees while another reads */
THREAD(one)
{
        sink = shared[3]; /* HERE */
        return NULL;
}
THREAD(two)
{
        free(shared); /* FREED */
        return NULL;
}
#define BEFORE shared = malloc(8) /* MADE */
#elif CASE == 2 /* by one thread alone */
THREAD(one)
{
        int *p = malloc(8); /* MADE */
        p[1] = 1;
        free(p); /* FREED */
        p[1] = 2; /* HERE */
        return NULL;
}
#elif CASE == 3 /* out of bounds */
THREAD(one)
{
        int *p = malloc(5 * sizeof *p); /* MADE */
        for (int i = 0; i <= 5; i++)
                p[i] = i; /* HERE */
        return NULL;
}
#elif CASE == 4 /* ... within the last word */
THREAD(one)
{
        char *p = malloc(5); /* MADE */
        for (int i = 0; i < 5; i++)
                p[i] = 1;
        p[5] = 1; /* HERE */
        return NULL;
}
#elif CASE == 5 /* ... before the block */
THREAD(one)
{
        int *p = malloc(32); /* MADE */
        sink = p[-1];        /* HERE */
        return NULL;
}
#elif CASE == 6 /* double free, in both orders */
THREAD(one)
{
        free(shared); /* HERE FREED */
        return NULL;
}
#define two one
#define BEFORE shared = malloc(8) /* MADE */
#elif CASE == 7 /* free of what is not a block */
THREAD(one)
{
        free(&sink); /* HERE */
        return NULL;
}
#elif CASE == 8 /* ... of the middle of one */
THREAD(one)
{
        char *p = malloc(64); /* MADE */
        free(p + 16);         /* HERE */
        return NULL;
}
#elif CASE == 9 /* through memcpy */
THREAD(one)
{
        char *p = malloc(10), buf[32] = "x"; /* MADE */
        memcpy(p, buf, 11);                  /* HERE */
        return NULL;
}
#elif CASE == 10 /* through strlen: no end in the block */
THREAD(one)
{
        char *p = malloc(16); /* MADE */
        memset(p, 'x', 16);
        sink = (int)strlen(p); /* HERE */
        return NULL;
}
#elif CASE == 11 /* atomics */
THREAD(one)
{
        atomic_int *p = malloc(sizeof *p); /* MADE */
        free(p); /* FREED */
        atomic_fetch_add(p, 1); /* HERE */
        return NULL;
}
#elif CASE == 12 /* a mutex in a block that was freed */
struct box {
        pthread_mutex_t m;
        int n;
};
THREAD(one)
{
        struct box *b = (struct box *)shared;
        pthread_mutex_lock(&b->m); /* HERE */
        pthread_mutex_unlock(&b->m); /* HERE */
        return NULL;
}
THREAD(two)
{
        free(shared); /* FREED */
        return NULL;
}
#define BEFORE                                                                                                         \
        shared = malloc(sizeof(struct box)); /* MADE */                                                               \
        pthread_mutex_init(&((struct box *)shared)->m, NULL)
#elif CASE == 13 /* the stack of a thread that has ended */
static int *volatile leaked;
THREAD(one)
{
        int local = 1;
        leaked = &local;
        return NULL;
}
THREAD(two)
{
        return NULL;
}
#define FINALLY sink = *leaked /* HERE */
#elif CASE == 14 /* a function of another thread that has returned */
static int *volatile leaked;
static atomic_int ready;
static void __attribute__((noinline)) inner(void)
{
        char room[4096];
        int local[64];
        memset(room, 0, sizeof room);
        leaked = local;
}
static void __attribute__((noinline)) outer(void)
{
        char room[4096];
        memset(room, 0, sizeof room);
        inner();
}
THREAD(one)
{
        outer();
        ready = 1;
        while (ready != 2)
                ;
        return NULL;
}
THREAD(two)
{
        while (ready != 1)
                ;
        sink = leaked[0]; /* HERE */
        ready = 2;
        return NULL;
}
#elif CASE == 15 /* realloc moves */
THREAD(one)
{
        char *p = malloc(16); /* MADE */
        char *q = realloc(p, 4000); /* FREED */
        q[0] = 1;
        p[0] = 1; /* HERE */
        return NULL;
}
#elif CASE == 16 /* aligned */
THREAD(one)
{
        char *p = aligned_alloc(64, 64); /* MADE */
        p[63] = 1;
        p[64] = 1; /* HERE */
        return NULL;
}
#elif CASE == 17 /* before there are threads */
#define BEFORE                                                                                                         \
        shared = malloc(4);                                                                                           \
        free(shared);                                                                                                 \
        shared[0] = 1
THREAD(one)
{
        return NULL;
}
#elif CASE == 19 /* memory that is not there, and code that does not expect it */
THREAD(one)
{
        int *p = malloc(sizeof *p);
        *p = 1; /* HERE */
        free(p);
        return NULL;
}
#elif CASE == 20 /* ... who did */
THREAD(one)
{
        int *p = malloc(sizeof *p), *q = realloc(p, 1000);
        if (q)
                *q = 1;
        else if (p)
                *p = 1;
        free(q ? q : p);
        return NULL;
}
#define two one
#elif CASE == 30 /* through strcpy */
THREAD(one)
{
        char *p = malloc(4), *volatile long_one = "12345"; /* MADE */
        strcpy(p, long_one);                               /* HERE */
        return NULL;
}
#elif CASE == 31 /* of posix_memalign */
THREAD(one)
{
        void *p;
        if (posix_memalign(&p, 256, 40)) /* MADE */
                abort();
        ((char *)p)[40] = 1; /* HERE */
        return NULL;
}
#elif CASE == 32 /* more than there can be */
THREAD(one)
{
        volatile size_t many = SIZE_MAX / 4 + 2;
        if (calloc(many, 4) || reallocarray(NULL, many, 8) || malloc(SIZE_MAX - many))
                abort();
        return NULL;
}
#elif CASE == 33 /* a block that has become smaller */
THREAD(one)
{
        char *p = realloc(malloc(64), 60), *q = realloc(p, 40); /* MADE */
        q[39] = 1;
        q[40] = 1; /* HERE */
        return NULL;
}
#elif CASE == 34 /* of strdup */
THREAD(one)
{
        char *p = strdup("text"); /* MADE */
        free(p);                  /* FREED */
        sink = p[2];              /* HERE */
        return NULL;
}
#elif CASE == 35 /* write() of what is behind a block */
THREAD(one)
{
        char *p = calloc(1, 16); /* MADE */
        int ends[2];
        if (pipe(ends))
                abort();
        sink = (int)write(ends[1], p, 17); /* HERE */
        return NULL;
}
#elif CASE == 36 /* no memory for strdup */
THREAD(one)
{
        char *p = strdup("text");
        p[0] = 1; /* HERE */
        free(p);
        return NULL;
}
#elif CASE == 37 /* through memcpy, which has been there before */
THREAD(one)
{
        char *p = malloc(13), buf[32] = "x"; /* MADE */
        memcpy(p, buf, 13);
        memcpy(p, buf, 13);
        memcpy(p, buf, 14); /* HERE */
        return NULL;
}
#elif CASE == 38 /* before the first thread, in a word that the block does not fill */
static int first(void)
{
        char *p = malloc(13); /* MADE */
        for (int i = 0; i < 13; i++)
                p[i] = 1;
        return p[13]; /* HERE */
}
#define BEFORE sink = first()
THREAD(one)
{
        return NULL;
}
#elif CASE == 18 /* read() into what was freed */
THREAD(one)
{
        char *p = malloc(16); /* MADE */
        int ends[2];
        if (pipe(ends) || write(ends[1], "hello", 5) != 5)
                abort();
        free(p); /* FREED */
        sink = (int)read(ends[0], p, 5); /* HERE */
        return NULL;
}
#endif

#if CASE > 0 && !defined(two) && CASE != 1 && CASE != 12 && CASE != 13 && CASE != 14
THREAD(two)
{
        return NULL;
}
#endif
#include "../programs/nothing.h"

int main(void)
{
        pthread_t t1, t2;

        BEFORE; /* MADE HERE FREED */
        pthread_create(&t1, NULL, one, NULL);
        pthread_create(&t2, NULL, two, NULL);
        pthread_join(t1, NULL);
        pthread_join(t2, NULL);
        FINALLY; /* HERE */
        return 0;
}
