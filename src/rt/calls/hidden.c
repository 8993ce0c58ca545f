/*
 * Functions of libc with a state of their own that threads share: the random number generators, strtok, and those whose
 * result is in a static buffer.
 *
 * A call is a write to that state, in the shape of a cell of ours: the order of calls is part of the behaviour, and a
 * loop that calls one makes progress.  A static buffer is memory that the program reads: the call writes it.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rt/sched/path.h"
#include "rt/calls/calls.h"
#include "rt/calls/effect.h"
#include "rt/calls/listed.h"
#include "rt/memory/access.h"
#include "rt/real.h"
#include "rt/rt.h"
#include "rt/loops/spin.h"
#include "rt/util.h"
#include "rt/weak/mm.h"
#include "rt/world/modules.h"

static uint64_t rand_cell, rand48_cell, strtok_cell __attribute__((aligned(8)));

/* The states of rand and similar functions are under a lock of libc; those of rand48 and strtok are not. */
static void touch(uint64_t *cell, uintptr_t site)
{
        if (!rt_on() || rt_site_in_libc(site))
                return;
        if (cell != &rand_cell) {
                if (rt.live) /* what is drawn, or parsed, is in no entry */
                        rt.up->clocks |= WIRE_CLOCKS_HIDDEN;
                access_range(OP_WRITE, cell, sizeof *cell, site);
        }
        if (cell == &rand_cell || mm_is_weak()) /* the state changes at once, whatever waits in a buffer */
                access_locked(cell, sizeof *cell, site);
        spin_progress(rt_cur);
}

#define DRAW(type, name, cell)           \
        RT_EXPORT type name(void)        \
        {                                \
                touch(&cell, RT_SITE()); \
                return RT_REAL(name)();  \
        }

/* As it was recorded, where paths are followed. */
#define DRAW_RECORDED(type, name, cell)                                                                  \
        RT_EXPORT type name(void)                                                                        \
        {                                                                                                \
                type own;                                                                                \
                uint64_t recorded;                                                                       \
                                                                                                         \
                touch(&cell, RT_SITE());                                                                 \
                own = RT_REAL(name)();                                                                   \
                return RT_UNLIKELY(path_on) && path_input(REC_RANDOM, &recorded) ? (type)recorded : own; \
        }

#define SEED(name, type, cell)           \
        RT_EXPORT void name(type seed)   \
        {                                \
                touch(&cell, RT_SITE()); \
                RT_REAL(name)(seed);     \
        }

DRAW_RECORDED(int, rand, rand_cell)
DRAW_RECORDED(long, random, rand_cell)
DRAW(long, lrand48, rand48_cell)
DRAW(long, mrand48, rand48_cell)
DRAW(double, drand48, rand48_cell)
SEED(srand, unsigned, rand_cell)
SEED(srandom, unsigned, rand_cell)
SEED(srand48, long, rand48_cell)

RT_EXPORT char *strtok(char *s, const char *separators)
{
        touch(&strtok_cell, RT_SITE());
        if (!rt_on())
                return RT_REAL(strtok)(s, separators);
        return (char *)LISTED(strtok_r, RT_SITE(), LISTED_POINTER(s), LISTED_POINTER(separators),
                              LISTED_POINTER(&ex.strtok_next));
}

RT_EXPORT char *initstate(unsigned seed, char *state, size_t n)
{
        touch(&rand_cell, RT_SITE());
        return RT_REAL(initstate)(seed, state, n);
}

RT_EXPORT char *setstate(char *state)
{
        touch(&rand_cell, RT_SITE());
        return RT_REAL(setstate)(state);
}

RT_EXPORT unsigned short *seed48(unsigned short seed[3])
{
        touch(&rand48_cell, RT_SITE());
        return RT_REAL(seed48)(seed);
}

RT_EXPORT void lcong48(unsigned short param[7])
{
        touch(&rand48_cell, RT_SITE());
        RT_REAL(lcong48)(param);
}

/* Static buffers: what the call leaves there is put there again, word by word, in the thread's turns. */

#define TEXT_SIZE 26 /* of a date, with its end */

struct buffer {
        void *at;
        size_t size;
        char before[sizeof(struct tm)], after[sizeof(struct tm)];
};

static void buffer_begin(struct buffer *b)
{
        rt_copy(b->before, b->at, b->size);
}

static void buffer_end(struct buffer *b, uintptr_t site)
{
        rt_copy(b->after, b->at, b->size);
        rt_copy(b->at, b->before, b->size);
        call_out(b->at, b->after, b->size, site);
}

/* Where libc has them: a first call tells. */
static struct tm *tm_buffer(void)
{
        static struct tm *at;
        const time_t start = 0;

        if (!at)
                at = RT_REAL(gmtime)(&start);
        return at;
}

static char *text_buffer(void)
{
        static char *at;
        const struct tm start = {.tm_mday = 1};

        if (!at)
                at = RT_REAL(asctime)(&start);
        return at;
}

static bool seen(uintptr_t site)
{
        return rt_on() && rt.live && !rt_site_in_libc(site);
}

/* What the local time is, the environment says. */
static void use_zone(uintptr_t site)
{
        const struct effect e[] = {EFFECT_USE(STATE_TIMEZONE), EFFECT_USE(STATE_ENVIRONMENT)};

        effect_perform(e, 2, site);
}

static struct tm *split(struct tm *(*real)(const time_t *), bool local, const time_t *t, uintptr_t site)
{
        struct buffer b = {tm_buffer(), sizeof(struct tm), {0}, {0}};
        struct tm *r;

        call_in(t, sizeof *t, site);
        if (local)
                use_zone(site);
        buffer_begin(&b);
        r = real(t);
        buffer_end(&b, site);
        return r;
}

RT_EXPORT struct tm *gmtime(const time_t *t)
{
        return seen(RT_SITE()) ? split(RT_REAL(gmtime), false, t, RT_SITE()) : RT_REAL(gmtime)(t);
}

RT_EXPORT struct tm *localtime(const time_t *t)
{
        return seen(RT_SITE()) ? split(RT_REAL(localtime), true, t, RT_SITE()) : RT_REAL(localtime)(t);
}

RT_EXPORT char *asctime(const struct tm *tm)
{
        struct buffer b = {.size = TEXT_SIZE};
        char *r;

        if (!seen(RT_SITE()))
                return RT_REAL(asctime)(tm);
        b.at = text_buffer();
        call_in(tm, sizeof *tm, RT_SITE());
        buffer_begin(&b);
        r = RT_REAL(asctime)(tm);
        buffer_end(&b, RT_SITE());
        return r;
}

RT_EXPORT char *ctime(const time_t *t)
{
        struct buffer tm = {.size = sizeof(struct tm)}, text = {.size = TEXT_SIZE};
        char *r;

        if (!seen(RT_SITE()))
                return RT_REAL(ctime)(t);
        tm.at = tm_buffer();
        text.at = text_buffer();
        call_in(t, sizeof *t, RT_SITE());
        use_zone(RT_SITE());
        buffer_begin(&tm);
        buffer_begin(&text);
        r = RT_REAL(ctime)(t);
        rt_copy(text.after, text.at, TEXT_SIZE);
        rt_copy(text.at, text.before, TEXT_SIZE);
        buffer_end(&tm, RT_SITE());
        call_out(text.at, text.after, TEXT_SIZE, RT_SITE());
        return r;
}
