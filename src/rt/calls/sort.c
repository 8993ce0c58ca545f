/*
 * qsort: the merge sort of glibc, with the reads and writes of elements announced.  What the program's function compares,
 * it reads itself; other threads may run in it.
 *
 * The order of equal elements is that of glibc, which is stable while there is memory for a copy.
 */
#include <stdlib.h>

#include "rt/calls/calls.h"
#include "rt/fault.h"
#include "rt/memory/bytes.h"
#include "rt/copy/step.h"
#include "rt/real.h"
#include "rt/rt.h"

#define SMALL 1024u /* bytes of a copy that has its place on the stack, as in glibc */

struct sort {
        size_t size;
        int (*compare)(const void *, const void *, void *);
        void *arg;
        uintptr_t site;
        char *copy;
};

static char *take(const struct sort *s, char *to, const char *from, size_t n)
{
        call_in(from, n * s->size, s->site);
        bytes_copy(to, from, n * s->size);
        return to + n * s->size;
}

static void sort(const struct sort *s, char *base, size_t n)
{
        size_t n1 = n / 2, n2 = n - n1;
        char *a = base, *b = base + n1 * s->size, *to = s->copy;

        if (n < 2)
                return;
        sort(s, a, n1);
        sort(s, b, n2);
        while (n1 && n2) {
                if (s->compare(a, b, s->arg) <= 0) {
                        to = take(s, to, a, 1);
                        a += s->size;
                        n1--;
                } else {
                        to = take(s, to, b, 1);
                        b += s->size;
                        n2--;
                }
        }
        take(s, to, a, n1);
        call_out(base, s->copy, (n - n2) * s->size, s->site); /* the rest of the second half is in its place */
}

static void run(struct sort *s, void *base, size_t n)
{
        size_t bytes = n * s->size;

        if (bytes < SMALL) {
                s->copy = __builtin_alloca(bytes + 1);
                sort(s, base, n);
                return;
        }
        s->copy = malloc(bytes);
        if (!s->copy)
                rt_refuse("qsort without memory for a copy of the array");
        sort(s, base, n);
        free(s->copy);
}

static int without(const void *a, const void *b, void *compare)
{
        return ((int (*)(const void *, const void *))(uintptr_t)compare)(a, b);
}

RT_EXPORT void qsort_r(void *base, size_t n, size_t size, int (*compare)(const void *, const void *, void *), void *arg)
{
        struct sort s = {size, compare, arg, RT_SITE(), NULL};

        if (step_seen(RT_SITE()))
                run(&s, base, n);
        else
                RT_REAL(qsort_r)(base, n, size, compare, arg);
}

RT_EXPORT void qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
        struct sort s = {size, without, (void *)(uintptr_t)compare, RT_SITE(), NULL};

        if (step_seen(RT_SITE()))
                run(&s, base, n);
        else
                RT_REAL(qsort)(base, n, size, compare);
}
