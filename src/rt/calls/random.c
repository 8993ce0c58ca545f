/*
 * Random bytes that are the same in every execution: a function of the seed, the thread and how many numbers that
 * thread has drawn.  The counts are part of the snapshot.  The rdrand instruction and devices are not reached.
 */
#include "rt/calls/random.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/hash.h"
#include "rt/memory/access.h"
#include "rt/memory/bytes.h"
#include "rt/memory/malloc.h"
#include "rt/real.h"
#include "rt/sched/path.h"
#include "rt/threads.h"
#include "rt/txn/speculation.h"
#include "rt/util.h"
#include "rt/world/modules.h"

/* The counts below n_threads are valid. */
struct random_state {
        uint64_t n_threads;
        uint64_t drawn[WIRE_MAX_THREADS];
};

static struct random_state state;
struct random_state *random_state = &state;

/* glibc has these from 2.36 on; what links against us must find them with any. */
RT_EXPORT uint32_t arc4random(void);
RT_EXPORT void arc4random_buf(void *buf, size_t n);
RT_EXPORT uint32_t arc4random_uniform(uint32_t bound);

size_t random_state_size(void)
{
        return offsetof(struct random_state, drawn) + state.n_threads * sizeof(state.drawn[0]);
}

uint64_t rt_random_next(void)
{
        uint32_t slot = rt_on() ? rt_self() : 0;

        while (state.n_threads <= slot)
                state.drawn[state.n_threads++] = 0;
        return hash_scatter(hash_scatter(rt_seed() + HASH_GOLDEN * (slot + 1)) + HASH_GOLDEN * ++state.drawn[slot]);
}

/* Whether the numbers are ours.  The program calls the kernel for them. */
static bool seeded(void)
{
        if (rt_on())
                speculation_kernel(rt_cur);
        return rt_on() || heap_is_target();
}

void random_fill(void *buf, size_t n)
{
        unsigned char *p = buf;

        while (n) {
                uint64_t word = rt_random_next();
                size_t k = n < sizeof(word) ? n : sizeof(word);

                bytes_copy(p, &word, k);
                p += k;
                n -= k;
        }
}

static void fill_seeded(void *buf, size_t n, uintptr_t site)
{
        if (rt_on() && !rt_site_in_libc(site))
                access_range(OP_WRITE, buf, n, site);
        random_fill(buf, n);
}

/* Outside `check`: from the kernel, which gives up to 256 bytes at once or none. */
static void fill_real(void *buf, size_t n)
{
        unsigned char *p = buf;

        while (n) {
                size_t k = n < 256 ? n : 256;
                long got = rt_syscall6(SYS_getrandom, (long)p, (long)k, 0, 0, 0, 0);

                if (got == -EINTR)
                        continue;
                if (got <= 0)
                        abort();
                p += got;
                n -= (size_t)got;
        }
}

/* Where recorded paths are followed: what was drawn then. */
static void fill_recorded(void *buf, size_t n)
{
        uint64_t word;

        for (size_t i = 0; i < n && path_on && path_input(REC_RANDOM, &word); i += sizeof word)
                bytes_copy((unsigned char *)buf + i, &word, n - i < sizeof word ? n - i : sizeof word);
}

RT_EXPORT ssize_t getrandom(void *buf, size_t n, unsigned flags)
{
        static ssize_t (*real)(void *, size_t, unsigned);

        if (!seeded()) {
                if (!real)
                        real = (ssize_t(*)(void *, size_t, unsigned))rt_real("getrandom");
                return real(buf, n, flags);
        }
        fill_seeded(buf, n, RT_SITE());
        fill_recorded(buf, n);
        return (ssize_t)n;
}

RT_EXPORT int getentropy(void *buf, size_t n)
{
        static int (*real)(void *, size_t);

        if (!seeded()) {
                if (!real)
                        real = (int (*)(void *, size_t))rt_real("getentropy");
                return real(buf, n);
        }
        if (n > 256) {
                errno = EIO;
                return -1;
        }
        fill_seeded(buf, n, RT_SITE());
        fill_recorded(buf, n);
        return 0;
}

RT_EXPORT void arc4random_buf(void *buf, size_t n)
{
        if (!seeded()) {
                fill_real(buf, n);
                return;
        }
        fill_seeded(buf, n, RT_SITE());
        fill_recorded(buf, n);
}

RT_EXPORT uint32_t arc4random(void)
{
        uint32_t v;

        if (!seeded()) {
                fill_real(&v, sizeof(v));
                return v;
        }
        v = (uint32_t)rt_random_next();
        fill_recorded(&v, sizeof v);
        return v;
}

/* Numbers below 2^32 mod bound are dropped, so that every rest is as likely as any other. */
RT_EXPORT uint32_t arc4random_uniform(uint32_t bound)
{
        uint32_t least, v;

        if (bound < 2)
                return 0;
        least = -bound % bound;
        do {
                v = arc4random();
        } while (v < least);
        return v % bound;
}
