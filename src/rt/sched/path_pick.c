/*
 * Whose turn it is where recorded paths are followed, by the times and cores that were recorded.  Times are hints: how often they are
 * not followed is drawn for each execution.
 */
#include "base/hash.h"
#include "rt/sched/path.h"
#include "rt/sched/tail.h"
#include "rt/threads.h"

/* Of the run's seed: is the order that of times, and of 64 times how many are others than that of the last stamp? */
static bool is_timed(void)
{
        return rt.down->run_seed & PATH_SEED_TIMED;
}

static uint32_t others(void)
{
        static const uint8_t of[] = {0, 4, 16, 32};

        return of[rt.down->run_seed / PATH_SEED_OTHERS % 4];
}

/* A time at which the thread may have done what it does next: when its window began, when it ended, or between. */
static uint64_t path_time(struct thread *t)
{
        uint64_t from, until, draw;

        path_window(t, &from, &until);
        draw = hash_draw(rt.down->run_seed ^ hash_draw(((uint64_t)t->id << 32) + t->path.stamp));
        if (draw % 64 >= others())
                return from;
        return draw >> 6 & 1 || until == UINT64_MAX ? until : from + (draw >> 8) % (until - from + 1);
}

/* In the order of times that are drawn for each window: what others did meanwhile came before it or after it. */
static struct thread *pick_timed(void)
{
        struct thread *first = NULL;
        uint64_t best = 0;

        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (tail_can_run(&threads[i])) {
                        uint64_t time = path_time(&threads[thread_owner(&threads[i])]);
                        if (!first || time < best) {
                                first = &threads[i];
                                best = time;
                        }
                }
        return first ? first : tail_any();
}

uint32_t path_wakes(uint32_t first, uint32_t (*after)(const void *arg, uint32_t choice), const void *arg)
{
        uint64_t best = UINT64_MAX;
        uint32_t wakes = 0;

        for (uint32_t c = first; is_timed() && c && c <= ex.n_threads; c = after(arg, c)) {
                uint64_t time = path_is_over(&threads[c - 1]) ? UINT64_MAX : path_time(&threads[c - 1]);
                if (time < best) {
                        wakes = c;
                        best = time;
                }
        }
        return wakes;
}

/* May the thread come first, by the recorded times? */
static bool may_be_first(struct thread *t, uint64_t first)
{
        uint64_t from, until;

        if (!tail_can_run(t))
                return false;
        path_window(&threads[thread_owner(t)], &from, &until);
        return from <= first;
}

/* Does t continue?  In some of the executions mostly; and where all that may come first were on its core, which changes from
 * one thread to another seldom, mostly in all. */
static bool stays(struct thread *t, uint64_t first)
{
        uint32_t core = path_core(&threads[thread_owner(t)]), most = rt.down->run_seed % 8;
        bool one = core != PATH_NO_CORE;

        for (uint32_t i = 0; i < ex.n_threads && one; i++)
                one = !may_be_first(&threads[i], first) || path_core(&threads[thread_owner(&threads[i])]) == core;
        return may_be_first(t, first) && tail_random() % 8 < (one ? 7 : most);
}

/* Among those that may come first by the recorded times. */
struct thread *path_pick(struct thread *t)
{
        uint64_t from, until, first = UINT64_MAX;
        uint32_t n = 0, k;

        if (is_timed())
                return pick_timed();
        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (tail_can_run(&threads[i])) {
                        path_window(&threads[thread_owner(&threads[i])], &from, &until);
                        first = until < first ? until : first;
                }
        if (stays(t, first))
                return t;
        for (uint32_t i = 0; i < ex.n_threads; i++)
                n += may_be_first(&threads[i], first);
        if (!n)
                return tail_any();
        k = (uint32_t)(tail_random() % n);
        for (uint32_t i = 0;; i++)
                if (may_be_first(&threads[i], first) && !k--)
                        return &threads[i];
}
