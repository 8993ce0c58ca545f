/* Accesses that compilers do not announce: each kind loses an update, or sees half of one, in some schedule. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static void *one(void *arg);
static void *two(void *arg);

#if defined LONG_DOUBLE
static long double x;
static void *one(void *arg) { x += 1; return arg; }
static void *two(void *arg) { x += 1; return arg; }
#define CHECK x == 2
#elif defined FIELD_40
static struct { uint64_t a : 40; } __attribute__((packed)) x;
static void *one(void *arg) { x.a++; return arg; }
static void *two(void *arg) { x.a++; return arg; }
#define CHECK x.a == 2
#elif defined BY_VALUE
struct big { int at[6]; };
static struct big *x;
static int sum(struct big b) { return b.at[0] + b.at[5]; }
static void *one(void *arg) { assert(sum(*x) != 2); return arg; }
static void *two(void *arg) { x->at[5] = 2; return arg; }
#define CHECK 1
#elif defined RETURNED
struct pair { long a, b; };
static struct pair x, y = {1, 2};
static struct pair make(void) { return y; }
static void *one(void *arg) { x = make(); return arg; }
static void *two(void *arg) { assert(x.a != 1); return arg; }
#define CHECK x.a == 1
#elif defined VECTOR
typedef long wide __attribute__((vector_size(32)));
static wide x;
static void *one(void *arg) { x += 1; return arg; }
static void *two(void *arg) { x += 1; return arg; }
#define CHECK x[0] == 2
#elif defined COMPLEX
static _Complex long double x;
static void *one(void *arg) { __real__ x += 1; return arg; }
static void *two(void *arg) { __real__ x += 1; return arg; }
#define CHECK __real__ x == 2
#elif defined FIELD_GCC
static struct { unsigned a : 3, b : 5; } x;
static void *one(void *arg) { x.a = 1; return arg; }
static void *two(void *arg) { x.b = 1; return arg; }
#define CHECK x.a == 1 && x.b == 1
#elif defined ATTRIBUTE /* a function that is not instrumented at all */
static int x;
__attribute__((no_sanitize("thread"), noinline)) static void add(int *p) { *p += 1; }
static void *one(void *arg) { add(&x); return arg; }
static void *two(void *arg) { add(&x); return arg; }
#define CHECK x == 2
#elif defined RACE /* announced, and harmless in any order */
static int x;
static void *one(void *arg) { x = 1; return arg; }
static void *two(void *arg) { (void)*(volatile int *)&x; return arg; }
#define CHECK x == 1
#elif defined PRIVATE /* the same in memory of one thread each: nothing to report */
struct big { int at[6]; };
static int sum(struct big b) { return b.at[0] + b.at[5]; }
static void *one(void *arg)
{
        struct big *x = calloc(1, sizeof *x);
        long double *y = malloc(sizeof *y);
        x->at[5] = *y = 3;
        assert(sum(*x) == 3);
        free(y);
        free(x);
        return arg;
}
static void *two(void *arg) { return one(arg); }
#define CHECK 1
#endif

int main(void)
{
        pthread_t a, b;

#ifdef BY_VALUE
        x = calloc(1, sizeof *x);
#endif
        pthread_create(&a, NULL, one, NULL);
        pthread_create(&b, NULL, two, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        assert(CHECK);
        return 0;
}
