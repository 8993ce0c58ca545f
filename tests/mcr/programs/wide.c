/*
 * Accesses of more than one word that are one step.
 * HALVES: updates of 16 bytes; one half alone does not tell what they write.
 * PUBLISH: a store of 16 bytes, which a load of one half acquires.
 * HALF: an update of both halves races with plain accesses of one.
 * Otherwise structs are copied in atomic sections, SHIFT bytes behind the beginning of a word.
 */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#define BOTH(low, high) ((u128)(high) << 64 | (low))

typedef unsigned __int128 u128;

static u128 wide __attribute__((aligned(16)));
static int seen;

#ifdef HALVES
static uint64_t swap(u128 from, u128 to)
{
        u128 expected = from;

        return __atomic_compare_exchange_n(&wide, &expected, to, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)
                       ? 0
                       : (uint64_t)(expected >> 64) + 1;
}

static void *one(void *arg)
{
        swap(BOTH(0, 0), BOTH(5, 1));
        return arg;
}

static void *two(void *arg)
{
        seen = (int)swap(BOTH(5, 3), BOTH(5, 2));
        return arg;
}

static void *three(void *arg)
{
        swap(BOTH(5, 1), BOTH(5, 3));
        return arg;
}
#elif defined PUBLISH
static int data;

static void *one(void *arg)
{
        data = 1;
        __atomic_store_n(&wide, BOTH(0, 1), __ATOMIC_SEQ_CST);
        return arg;
}

static void *two(void *arg)
{
        if (__atomic_load_n(&((uint64_t *)&wide)[1], __ATOMIC_ACQUIRE))
                seen = data;
        return arg;
}

static void *three(void *arg)
{
        __atomic_fetch_add(&wide, 1, __ATOMIC_RELAXED);
        return arg;
}
#elif defined HALF
static void *one(void *arg)
{
        __atomic_fetch_add(&wide, BOTH(1, 1), __ATOMIC_SEQ_CST);
        return arg;
}

static void *two(void *arg)
{
        seen = (int)((uint64_t *)&wide)[1];
        return arg;
}

static void *three(void *arg)
{
        ((uint64_t *)&wide)[1] = 4;
        return arg;
}
#else
#ifndef SHIFT
#define SHIFT 0
#endif

struct pair {
        uint64_t a, b;
};

static char room[32] __attribute__((aligned(16)));

static void copy(struct pair *out, const struct pair *in)
{
        heddle_atomic_begin();
        if (out)
                memcpy(out, room + SHIFT, sizeof *out);
        if (in)
                memcpy(room + SHIFT, in, sizeof *in);
        heddle_atomic_end();
}

static void *one(void *arg)
{
        copy(NULL, &(struct pair){1, 2});
        return arg;
}

static void *two(void *arg)
{
        struct pair p;

        copy(&p, NULL);
        seen = (int)(10 * p.a + p.b);
        return arg;
}

static void *three(void *arg)
{
        struct pair p;

        copy(&p, &(struct pair){3, 4});
        return arg;
}
#endif

int main(void)
{
        pthread_t t, u, v;

        pthread_create(&t, NULL, one, NULL);
        pthread_create(&u, NULL, two, NULL);
        pthread_create(&v, NULL, three, NULL);
        pthread_join(t, NULL);
        pthread_join(u, NULL);
        pthread_join(v, NULL);
        return 0;
}
