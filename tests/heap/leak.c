/*
 * Memory that nothing points to at the end, and memory that only seems so, chosen by -DCASE=N.  Where a leak is to be reported,
 * HERE MADE is where the block was allocated.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define THREAD(name) static void *name(void *arg)

struct node {
        struct node *next, *back;
        char room[40];
};

static void *volatile shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

/* Where a pointer was must not be where one is found: calls overwrite what they leave. */
static void __attribute__((noinline)) wipe(void)
{
        char room[2048];
        memset(room, 0, sizeof room);
        __asm__ volatile("" ::"r"(room) : "memory");
}

#if CASE == 0 /* a pointer is lost in a race */
THREAD(one)
{
        char *p = malloc(24); /* HERE MADE */
        if (!shared)
                shared = p;
        else
                free(p);
        return NULL;
}
#define two one
#define FINALLY free(shared)
#elif CASE == 1 /* one is lost in every execution */
THREAD(one)
{
        shared = malloc(24); /* HERE MADE */
        return NULL;
}
#define two one
#define FINALLY free(shared)
#elif CASE == 2 /* all that can point to a block: data, the heap, local memory, tags, the middle, the end, mappings, frames */
static char *middle, *behind;
static struct node *list;
static uint64_t tagged;
static _Thread_local char *local;
static char **mapped;
THREAD(one)
{
        for (int i = 0; i < 3; i++) {
                struct node *n = calloc(1, sizeof *n);
                pthread_mutex_lock(&lock);
                n->next = list;
                list = n;
                pthread_mutex_unlock(&lock);
        }
        return malloc(7); /* no thread joins it */
}
THREAD(two)
{
        char *mine = strdup("on the stack of a thread that waits");
        local = strdup("in local memory");
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&cond, &lock);
        puts(mine);
        return NULL;
}
#define BEFORE                                                                                                         \
        middle = (char *)malloc(100) + 50;                                                                            \
        behind = (char *)malloc(64) + 64;                                                                             \
        tagged = (uint64_t)(uintptr_t)malloc(16) | UINT64_C(0x8123) << 48 | 1;                                        \
        local = strdup("of main");                                                                                    \
        mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);                        \
        mapped[3] = strdup("from a mapping");                                                                         \
        char *frame = strdup("in main's frame")
#define NO_JOIN                                                                                                        \
        char **late = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);                   \
        late[4] = strdup("from a later one");                                                                         \
        setenv("heddle", frame, 1);                                                                                   \
        exit(0)
#elif CASE == 11 /* a ring */
THREAD(one)
{
        struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b); /* HERE MADE */
        *a = (struct node){b, b};
        *b = (struct node){a, a};
        return NULL;
}
THREAD(two)
{
        return NULL;
}
#elif CASE == 3 /* a list: its head is reported */
THREAD(one)
{
        return NULL;
}
THREAD(two)
{
        struct node *tail = malloc(sizeof *tail);
        *tail = (struct node){0};
        struct node *head = malloc(sizeof *head); /* HERE MADE */
        *head = (struct node){tail, NULL};
        wipe();
        return NULL;
}
#elif CASE == 4 /* by libc, for the program */
THREAD(one)
{
        char *line = NULL, *text = NULL;
        size_t n = 0;
        FILE *f = fopen("/dev/null", "r");
        (void)!getline(&line, &n, f); /* HERE MADE */
        fclose(f);
        if (asprintf(&text, "%d", 12345) < 0) /* HERE MADE */
                abort();
        return NULL;
}
THREAD(two)
{
        (void)!strdup("lost"); /* HERE MADE */
        (void)!realloc(malloc(3), 500); /* HERE MADE */
        void *p;
        if (posix_memalign(&p, 64, 10)) /* HERE MADE */
                abort();
        p = aligned_alloc(256, 512); /* HERE MADE */
        p = NULL;
        return p;
}
#elif CASE == 5 /* libc's own: streams, messages, the environment, keys */
static pthread_key_t key;
static void end(void *p)
{
        free(p);
}
THREAD(one)
{
        printf("%s\n", strerror(12345));
        pthread_setspecific(key, malloc(10));
        return NULL;
}
#define two one
#define BEFORE                                                                                                         \
        pthread_key_create(&key, end);                                                                                \
        FILE *f = fopen("/dev/null", "w");                                                                            \
        fprintf(f, "hello");                                                                                          \
        setenv("HEDDLE_A", "b", 1);                                                                                   \
        f = NULL;                                                                                                     \
        (void)f
#elif CASE == 6 /* a detached thread that has ended, with what it had */
THREAD(one)
{
        void *volatile p = malloc(24); /* HERE MADE */
        (void)p;
        pthread_detach(pthread_self());
        return NULL;
}
THREAD(two)
{
        pthread_detach(pthread_self());
        return malloc(24); /* HERE MADE */
}
#define NO_JOIN pthread_exit(NULL)
#elif CASE == 7 /* no normal end */
THREAD(one)
{
        shared = malloc(24);
        shared = NULL;
        return NULL;
}
THREAD(two)
{
        return NULL;
}
#define FINALLY _exit(0)
#elif CASE == 8 /* handlers free what main left */
static void last(void)
{
        free(shared);
        shared = NULL;
}
THREAD(one)
{
        shared = malloc(24);
        return NULL;
}
THREAD(two)
{
        return NULL;
}
#define BEFORE atexit(last)
#elif CASE == 9 /* another place loses less in some executions: 24 bytes in all, 48 in some */
static void *slot[2];
THREAD(one)
{
        void *p = malloc(24); /* HERE MADE */
        if (!shared)
                shared = p;
        else
                free(p);
        return NULL;
}
#define two one
#define FINALLY slot[0] = slot[1] = shared = NULL
#elif CASE == 10 /* lost in the first execution, and not in others */
THREAD(one)
{
        shared = malloc(24); /* HERE MADE */
        return NULL;
}
THREAD(two)
{
        if (shared)
                shared = NULL;
        return NULL;
}
#define FINALLY free(shared)
#endif

#include "../programs/nothing.h"

int main(void)
{
        pthread_t t1, t2;

        BEFORE;
        pthread_create(&t1, NULL, one, NULL);
        pthread_create(&t2, NULL, two, NULL);
#ifdef NO_JOIN
        NO_JOIN;
#endif
        pthread_join(t1, NULL);
        pthread_join(t2, NULL);
        FINALLY;
        wipe();
        (void)cond;
        (void)errno;
        return 0;
}
