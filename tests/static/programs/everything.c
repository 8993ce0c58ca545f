/*
 * What the analysis does not follow: the read of x matters in every one of them.
 *
 *     -DKIND=...: one of the names below
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTER  1
#define VARIABLE 2
#define SETJMP   3
#define ASSEMBLY 4
#define OUTSIDE  5
#define BYTES    6
#define INTEGER  7
#define HANDED   8
#define OFFSET   9
#define LIST     10
#define JOINED   11
#define EXITED   12
#define BLOCK    13

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void must_be_zero(int value)
{
        if (value)
                abort();
}

static __attribute__((unused)) void ignore(int value)
{
        (void)value;
}

#if KIND == POINTER
static void (*volatile called)(int) = must_be_zero;
#elif KIND == VARIABLE
static void many(int n, ...)
{
        va_list list;

        va_start(list, n);
        while (n-- > 0)
                must_be_zero(va_arg(list, int));
        va_end(list);
}
#elif KIND == LIST
static void each(int n, va_list list)
{
        while (n-- > 0)
                must_be_zero(*va_arg(list, int *));
}

static void many(int n, ...)
{
        va_list list;

        va_start(list, n);
        each(n, list);
        va_end(list);
}
#elif KIND == JOINED
static void *same(void *p)
{
        return p;
}
#elif KIND == EXITED
static void *same(void *p)
{
        pthread_exit(p);
}
#elif KIND == BLOCK
static void *(*volatile allocate)(size_t) = malloc;

static void *block(size_t n)
{
        long *p = allocate(n + sizeof *p);

        return p ? p + 1 : p;
}

static int *number(int value)
{
        int *p = block(sizeof *p);

        *p = value;
        return p;
}
#elif KIND == SETJMP
static jmp_buf back;
#elif KIND == HANDED
struct request {
        void (*done)(int);
        int *from;
};

static void serve(struct request *r)
{
        r->done(*r->from);
}
#elif KIND == OFFSET
static struct {
        int first, last;
} pair;
#endif

static void reader(void)
{
        pthread_mutex_lock(&lock);
#if KIND == POINTER
        called(x);
#elif KIND == VARIABLE
        many(2, 0, x);
#elif KIND == LIST
        static int zero;
        many(2, &zero, &x);
#elif KIND == JOINED || KIND == EXITED
        pthread_t b;
        void *p;
        pthread_create(&b, 0, same, &x);
        pthread_join(b, &p);
        must_be_zero(*(int *)p);
#elif KIND == BLOCK
        int *zero = number(0), *p = number(x), value = *p + *zero;
        free((long *)zero - 1);
        free((long *)p - 1);
        must_be_zero(value);
#elif KIND == SETJMP
        int value = x;
        if (setjmp(back) == 0)
                longjmp(back, value + 1);
        else
                must_be_zero(value);
#elif KIND == ASSEMBLY
        int value = 0;
        __asm__("mov %1, %0" : "=r"(value) : "r"(x));
        must_be_zero(value);
#elif KIND == OUTSIDE
        char text[16];
        sprintf(text, "%d", x);
        must_be_zero((int)strtol(text, NULL, 10));
#elif KIND == BYTES
        int value = 0;
        for (size_t i = 0; i < sizeof x; i++)
                ((char *)&value)[i] = ((char *)&x)[i];
        must_be_zero(value);
#elif KIND == INTEGER
        unsigned long address = (unsigned long)&x ^ 1;
        must_be_zero(*(int *)(address ^ 1));
#elif KIND == HANDED
        struct request *r = malloc(sizeof *r), copy;
        r->done = must_be_zero;
        r->from = &x;
        memcpy(&copy, r, sizeof copy);
        free(r);
        serve(&copy);
#elif KIND == OFFSET
        int *last = &pair.first + 1;
        *last = x;
        must_be_zero(pair.last);
#endif
        pthread_mutex_unlock(&lock);
}

static void *writer(void *unused)
{
        pthread_mutex_lock(&lock);
        x = 1;
        pthread_mutex_unlock(&lock);
        return unused;
}

int main(void)
{
        pthread_t a;

        pthread_create(&a, 0, writer, 0);
        reader();
        pthread_join(a, 0);
        return 0;
}
