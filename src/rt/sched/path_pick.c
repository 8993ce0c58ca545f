/*
 * Whose turn it is where recorded paths are followed, by the times and cores that were recorded.  Times are hints: how often they are
 * not followed is drawn for each execution.
 *
 * Strict executions learn from each other.  Where a thread leaves its path, what it has read since its last branch has led there: at
 * that position of its path it waits before a read that completes the same values, until others have written.  What it read earlier may
 * be the cause as well, so each execution ignores some of what was learnt.
 */
#include <sys/syscall.h>
#include <sys/uio.h>

#include "base/hash.h"
#include "op/row.h"
#include "rt/sched/end.h"
#include "rt/sched/path.h"
#include "rt/sched/tail.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/weak/mm.h"

#define IGNORED 16u /* one of so many places is ignored in an execution */

static uint64_t left_at;

static bool is_strict(void)
{
        return rt.down->tail == WIRE_TAIL_PATH && rt.down->tail_depth & PATH_STRICT;
}

/* Does it read memory next, so that its value is known? */
static bool is_read(const struct pending *p)
{
        return (p->op == OP_READ || p->op == OP_LOAD || p->op == OP_RMW || p->op == OP_CAS || p->op == OP_UPDATE) &&
               p->size <= sizeof(uint64_t) && !mm_is_weak();
}

/* What the thread will have read since its last branch; 0: not known.  By the kernel, since there may be no memory at that address. */
static uint64_t reads_then(const struct thread *t)
{
        uint64_t value = 0;
        struct iovec to = {&value, t->pend.size}, from = {(void *)(uintptr_t)t->pend.obj, t->pend.size};

        if (!is_read(&t->pend) || rt_syscall6(SYS_process_vm_readv, rt_syscall6(SYS_getpid, 0, 0, 0, 0, 0, 0),
                                              (long)&to, 1, (long)&from, 1, 0) != (long)t->pend.size)
                return 0;
        return hash_draw((t->path.reads_at == t->path.at ? t->path.reads : 0) ^ hash_draw(value)) | 1;
}

static uint64_t place_of(const struct thread *t, uint64_t at, uint64_t reads)
{
        return hash_draw(reads ^ hash_draw(at ^ (uint64_t)t->path.path << 40));
}

void path_reads(struct thread *t)
{
        if (!is_strict() || t->state != WIRE_T_READY || !is_read(&t->pend))
                return;
        t->path.reads = reads_then(t);
        t->path.reads_at = t->path.at;
}

void path_left(struct thread *t, uint64_t at)
{
        if (is_strict() && !path_is_over(t) && t->path.reads_at == at && t->path.reads)
                left_at = place_of(t, at, t->path.reads);
}

uint64_t path_left_at(void)
{
        uint64_t at = left_at;

        left_at = 0;
        return at;
}

/* May it be its turn? */
static bool can_run(const struct thread *t)
{
        uint64_t reads, place;

        if (!tail_can_run(t))
                return false;
        reads = reads_then(t);
        place = place_of(t, t->path.at, reads);
        return !reads || rt.down->paths.left[place % WIRE_PATHS_LEFT] != place ||
               hash_draw(place ^ rt.down->run_seed) % IGNORED == 0;
}

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

/* No thread can have been before this time: they all wait for one whose window ends there. */
static uint64_t first_end(void)
{
        uint64_t from, until, first = UINT64_MAX;

        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (tail_can_run(&threads[i])) {
                        path_window(&threads[thread_owner(&threads[i])], &from, &until);
                        first = until < first ? until : first;
                }
        return first;
}

static bool may_be_next(struct thread *t, uint64_t first)
{
        return rt.down->tail_depth & PATH_FREE ? can_run(t) : may_be_first(t, first) && can_run(t);
}

/* The execution ends where a thread has left its path, and where there is none that may come next. */
static struct thread *pick_strict(struct thread *t)
{
        uint64_t first = first_end();
        uint32_t n = 0, k;

        if (t->state == WIRE_T_ASSUME && !path_is_over(t))
                exec_end(WIRE_END_ASSUME);
        for (uint32_t i = 0; i < ex.n_threads; i++)
                n += may_be_next(&threads[i], first);
        if (!n && tail_any())
                exec_end(WIRE_END_ASSUME);
        if (!n)
                return NULL;
        if (may_be_next(t, first) && tail_random() % 8 < rt.down->run_seed % 8)
                return t;
        k = (uint32_t)(tail_random() % n);
        for (uint32_t i = 0;; i++)
                if (may_be_next(&threads[i], first) && !k--)
                        return &threads[i];
}

/* Among those that may come first by the recorded times. */
struct thread *path_pick(struct thread *t)
{
        uint64_t first;
        uint32_t n = 0, k;

        if (is_strict())
                return pick_strict(t);
        if (is_timed())
                return pick_timed();
        first = first_end();
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
