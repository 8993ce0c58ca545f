/*
 * Functions of all kinds, which the instrumenter gives a second body: the program prints the same without instrumentation,
 * outside `check` and under it.  With bodies_more.cc.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int more(int n);
int (*more_pointer(void))(int);
int weak_one(void);

struct big {
        long a[5];
};
static volatile int counter;
static _Thread_local int mine;

static __attribute__((noinline)) int sum(int n, ...)
{
        va_list ap;
        int s = counter;

        va_start(ap, n);
        while (n--)
                s += va_arg(ap, int);
        va_end(ap);
        return s;
}

static __attribute__((noinline)) double doubles(int n, ...)
{
        va_list ap;
        double s = counter;

        va_start(ap, n);
        while (n--)
                s += va_arg(ap, double);
        va_end(ap);
        return s;
}

__attribute__((noinline)) struct big by_value(struct big b, long c, long d, long e, long f, long g, long h, long i,
                                              struct big k)
{
        b.a[0] += c + d + e + f + g + h + i + k.a[4];
        counter++;
        return b;
}

__attribute__((noinline)) long more_by_value(int n, struct big b, ...)
{
        va_list ap;
        long s = b.a[1] + counter;

        va_start(ap, b);
        while (n--)
                s += va_arg(ap, struct big).a[2];
        va_end(ap);
        return s;
}

__attribute__((noinline)) long double wide(long double x, __int128 y)
{
        counter++;
        return x * (long double)y;
}

/* A table of labels, of which each body has its own. */
__attribute__((noinline)) int interpret(const char *code)
{
        static const void *const labels[] = {&&add, &&twice, &&end};
        int n = 0;

        goto *labels[*code - 'a'];
add:
        n += 1;
        goto *labels[*++code - 'a'];
twice:
        n *= 2;
        counter++;
        goto *labels[*++code - 'a'];
end:
        return n;
}

/* A label that the next call continues at. */
__attribute__((noinline)) int resumed(int x)
{
        static void *next;

        if (next)
                goto *next;
        next = &&second;
        return x + counter;
second:
        next = &&third;
        return 10 * x;
third:
        next = NULL;
        return 100 * x;
}

/* Code that must exist once. */
__attribute__((noinline)) int with_symbol(int x)
{
        __asm__ volatile(".globl bodies_symbol\nbodies_symbol: nop" : "+r"(x));
        return x + counter;
}

__attribute__((noinline)) int with_numbers(int x)
{
        __asm__ volatile("1: dec %0\n jnz 1b\n.Lunique%=: nop" : "+r"(x));
        return x + counter;
}

__attribute__((section("own_code"), noinline)) int in_section(int x)
{
        return x + counter;
}

__attribute__((weak, noinline)) int weak_one(void)
{
        return 1000 + counter;
}

static jmp_buf back;

__attribute__((noinline)) void leave(int depth)
{
        counter++;
        if (depth == 0)
                longjmp(back, 7);
        leave(depth - 1);
}

static __attribute__((noinline)) int returns_twice(void)
{
        volatile int n = 1;
        int from = setjmp(back);

        if (from)
                return n + from;
        n = 40;
        leave(5);
        return 0;
}

static void handler(int signal)
{
        counter += signal;
}

static int compare(const void *a, const void *b)
{
        mine++;
        return *(const int *)a - *(const int *)b;
}

static int constructed;
__attribute__((constructor)) static void construct(void)
{
        constructed = counter + 5;
}

static int chosen_one(int x)
{
        return x + constructed;
}
typedef int unary(int);
__attribute__((used)) static unary *choose(void)
{
        return chosen_one;
}
int chosen(int x) __attribute__((ifunc("choose")));

int one_way(int x)
{
        return x - counter;
}
int other_way(int x) __attribute__((alias("one_way")));

static __attribute__((noreturn, noinline)) void quit(int status)
{
        printf("%d\n", mine);
        exit(status - counter);
}

int main(void)
{
        static int (*const table[])(int) = {interpret == NULL ? NULL : with_numbers, one_way, other_way, in_section,
                                            with_symbol};
        struct big b = {{1, 2, 3, 4, 5}}, c = {{6, 7, 8, 9, 10}};
        int numbers[] = {5, 3, 9, 1, 7};

        b = by_value(b, 1, 2, 3, 4, 5, 6, 7, c);
        printf("%d %g %ld %Lg\n", sum(9, 1, 2, 3, 4, 5, 6, 7, 8, 9),
               doubles(10, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.), b.a[0] + b.a[4], wide(2.5L, 3));
        printf("%ld\n", more_by_value(2, b, c, b));
        printf("%d %d %d %d\n", interpret("ababbc"), resumed(1), resumed(2), resumed(3));
        for (size_t i = 0; i < sizeof table / sizeof *table; i++)
                printf("%d ", table[i](20));
        printf("%d %d %d\n", weak_one(), returns_twice(), chosen(3));
        signal(SIGUSR1, handler);
        raise(SIGUSR1);
        qsort(numbers, 5, sizeof *numbers, compare);
        printf("%d %d %d\n", counter, numbers[0], numbers[4]);
        printf("%d %d %d\n", more(3), more_pointer() == more, more_pointer()(4));
        counter = 0;
        quit(3);
}
