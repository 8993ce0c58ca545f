/*
 * See path.h.  A thread that leaves its path, or comes to the end of it, stops as if an assumption did not hold: the others
 * continue, so that a strategy sees what they do, and what they could have done earlier.
 *
 * A thread that waited in a loop has gone round it as often as the machine was fast.  Here it waits after a round or two without
 * effect.  So where it leaves its path right after such a wait, recorded rounds that are equal to its last one are skipped.
 *
 * Only the recorded failure counts: of the same kind, of the same thread, at the end of its path.  A crash or an abort is also
 * explained by a wrong use of the heap or of a lock on the way: here it is noticed at once, and there later or never.
 */
#include "rt/sched/path.h"

#include "rt/threads.h"

#define NO_PATH UINT32_MAX

/* Threads that may leave their paths: the edit distance of P. Sellers (1980), of positions around the likeliest one alone. */
#define OFF     UINT8_MAX
#define EXACT   48u /* bits in a row as recorded: the thread is on its path again */
#define IN_BAND (PATH_BAND / 2)

bool path_on;

void path_init(void)
{
        path_on = rt.down->paths.n > 0;
}

/* The recorded path of a thread, by the names of it and of its parents; NULL: it has none. */
static const struct wire_path *path_of(struct thread *t)
{
        const struct wire_paths *all = &rt.down->paths;

        if (!t->path.path) {
                const struct wire_name *name = &rt.up->names[t->id];
                uint32_t parent = 0, n = t->id ? NO_PATH : 0;

                if (t->id && path_of(&threads[name->parent])) {
                        parent = threads[name->parent].path.path - 1;
                        for (uint32_t i = 1; i < all->n && n == NO_PATH; i++)
                                if (all->all[i].parent == parent && all->all[i].nth == name->nth)
                                        n = i;
                }
                t->path.path = n == NO_PATH ? NO_PATH : n + 1;
        }
        return t->path.path == NO_PATH ? NULL : &all->all[t->path.path - 1];
}

/* The last repeat that begins before this bit, or NULL. */
static const struct wire_repeat *repeat_before(const struct wire_path *p, uint64_t i)
{
        const struct wire_repeat *all = &rt.down->paths.repeats[p->first_repeat];
        uint32_t lo = 0, hi = p->n_repeats;

        while (lo < hi) {
                uint32_t mid = lo + (hi - lo) / 2;
                if (all[mid].from <= i)
                        lo = mid + 1;
                else
                        hi = mid;
        }
        return lo ? &all[lo - 1] : NULL;
}

bool path_bit(const struct wire_path *p, uint64_t at)
{
        uint64_t i = at - p->lost;

        if (p->n_repeats) {
                const struct wire_repeat *r = repeat_before(p, i);
                if (r && i < r->until)
                        i = r->from - r->period + (i - r->from) % r->period - r->left_out;
                else if (r)
                        i -= r->left_out + (r->until - r->from);
        }
        return rt.down->paths.words[p->first + i / 64] >> (i % 64) & 1;
}

static bool ends_at(const struct wire_path *p, uint64_t at)
{
        return at >= p->lost + p->bits;
}

bool path_is_over(struct thread *t)
{
        const struct wire_path *p = path_of(t);

        return p && ends_at(p, t->path.at);
}

/* Are n bits from `a` on the same as from `b` on, as far as the path goes? */
static bool same(const struct wire_path *p, uint64_t a, uint64_t b, uint64_t n)
{
        for (uint64_t i = 0; i < n; i++)
                if (ends_at(p, b + i) || ends_at(p, a + i) || path_bit(p, a + i) != path_bit(p, b + i))
                        return false;
        return true;
}

/* The first bit behind all rounds that are equal to the last one of the loop in which the thread waited.  Where the words of the path
 * repeat, and have repeated that round once, they do it to the end of their repetition. */
static uint64_t behind_rounds(const struct path_state *s, const struct wire_path *p)
{
        uint64_t at = s->round_at;

        while (same(p, s->round_at - s->round, at, s->round)) {
                const struct wire_repeat *r = p->n_repeats ? repeat_before(p, at - p->lost) : NULL;

                at += s->round;
                if (r && at - p->lost < r->until && at - s->round_at >= r->period + s->round)
                        at += (r->until + p->lost - at) / s->round * s->round;
        }
        return at;
}

/* The thread is about to leave its path: can the rounds of a loop between be skipped? */
static bool skip_rounds(struct path_state *s, const struct wire_path *p, bool bit)
{
        uint64_t into, to;

        if (!s->round || s->round_at < p->lost + s->round)
                return false;
        into = (s->at - s->round_at) % s->round;
        to = behind_rounds(s, p);
        if (to <= s->at - into || !same(p, s->at - into, to, into) || ends_at(p, to + into) ||
            path_bit(p, to + into) != bit)
                return false;
        s->at = to + into;
        s->round = 0;
        return true;
}

static void pass_stamps(struct path_state *s, const struct wire_path *p)
{
        const struct wire_stamp *at = &rt.down->paths.stamps[p->first_stamp];

        while (s->stamp < p->n_stamps && at[s->stamp].bit <= s->at && at[s->stamp].turns <= s->turns)
                s->stamp++;
}

static uint64_t end_of(const struct wire_path *p)
{
        return p->lost + p->bits;
}

uint64_t path_near_allowed(const struct wire_path *p, uint64_t at)
{
        return rt.down->paths.stray + (at - p->lost) * rt.down->paths.stray / 100;
}

static uint8_t more(uint8_t cost)
{
        return cost == OFF ? OFF : (uint8_t)(cost + 1);
}

static uint8_t least(uint8_t a, uint8_t b)
{
        return a < b ? a : b;
}

static void begin(struct path_near *n, const struct wire_path *p, uint64_t at)
{
        n->on = true;
        n->exact = 0;
        n->from = at - p->lost > IN_BAND ? at - IN_BAND : p->lost;
        for (uint32_t i = 0; i < PATH_BAND; i++) {
                uint64_t to = n->from + i, far = to < at ? at - to : to - at;
                n->cost[i] = to > end_of(p) || far >= OFF ? OFF : (uint8_t)far;
        }
}

/* The costs after one more bit; the place of the least, of equal ones that of the longest path. */
static uint32_t step(struct path_near *n, const struct wire_path *p, bool bit)
{
        uint8_t before = OFF, cost = OFF;
        uint32_t best = 0;

        for (uint32_t i = 0; i < PATH_BAND; i++) {
                uint64_t at = n->from + i;
                uint8_t same = before;

                if (i && before != OFF && path_bit(p, at - 1) != bit)
                        same = more(before);
                before = n->cost[i];
                cost = at > end_of(p) ? OFF : least(least(more(before), more(cost)), same);
                n->cost[i] = cost;
                if (cost <= n->cost[best])
                        best = i;
        }
        return best;
}

/* The least cost is 0 again, and its place in the middle. */
static void centre(struct path_near *n, const struct wire_path *p, uint32_t best)
{
        uint8_t by = n->cost[best];
        uint32_t shift = best > IN_BAND ? best - IN_BAND : 0;

        n->missed += by;
        n->exact = by ? 0 : n->exact + 1;
        for (uint32_t i = 0; i < PATH_BAND; i++) {
                uint32_t k = i + shift;
                uint8_t cost = k < PATH_BAND ? n->cost[k] : OFF;

                if (k < PATH_BAND)
                        n->cost[i] = cost == OFF ? OFF : (uint8_t)(cost - by);
                else
                        n->cost[i] = n->from + k > end_of(p) ? OFF : more(n->cost[i - 1]);
        }
        n->from += shift;
}

bool path_near_follow(struct path_near *n, const struct wire_path *p, uint64_t *at, bool bit)
{
        uint32_t best;

        if (!rt.down->paths.stray)
                return false;
        if (!n->on)
                begin(n, p, *at);
        best = step(n, p, bit);
        if (n->cost[best] == OFF)
                return false;
        *at = n->from + best;
        centre(n, p, best);
        if (n->exact >= EXACT)
                n->on = false;
        return n->missed <= path_near_allowed(p, *at);
}

bool path_near_end(const struct path_near *n, const struct wire_path *p, uint64_t at)
{
        uint64_t left = end_of(p) - at;

        if (!rt.down->paths.stray || at < p->lost)
                return false;
        for (uint32_t i = 0; n->on && i < PATH_BAND; i++)
                if (n->cost[i] != OFF && n->cost[i] + end_of(p) - (n->from + i) < left)
                        left = n->cost[i] + end_of(p) - (n->from + i);
        return n->missed + left <= path_near_allowed(p, end_of(p));
}

bool path_near_place(const char *text)
{
        const char *place = rt.down->paths.place;

        if (!rt.down->paths.stray || !place[0])
                return true;
        for (; text && *text; text++) {
                uint32_t i = 0;
                while (place[i] && text[i] == place[i])
                        i++;
                if (!place[i])
                        return true;
        }
        return false;
}

bool path_follow(struct thread *t, uint64_t value, uint32_t bits)
{
        const struct wire_path *p = path_of(t);
        struct path_state *s = &t->path;

        if (!p)
                return rt.down->paths.open;
        if (s->at + bits <= p->lost) {
                s->at += bits;
                return true;
        }
        while (bits--) {
                bool bit = value >> bits & 1;
                if (s->near.on || ends_at(p, s->at) ||
                    (s->at >= p->lost && path_bit(p, s->at) != bit && !skip_rounds(s, p, bit))) {
                        if (!path_near_follow(&s->near, p, &s->at, bit))
                                return false;
                        continue;
                }
                s->at++;
        }
        pass_stamps(s, p);
        return true;
}

/* Has the thread done all that was recorded?  In a loop it may have to go round some more. */
static bool is_done(struct thread *t)
{
        const struct wire_path *p = path_of(t);
        uint64_t at = t->path.at;

        if (!p)
                return rt.down->paths.open;
        if (t->state == WIRE_T_SPIN && t->path.round && t->path.round_at >= p->lost + t->path.round)
                at = behind_rounds(&t->path, p);
        return ends_at(p, at + (t->state == WIRE_T_SPIN ? t->path.round : 0)) ||
               path_near_end(&t->path.near, p, t->path.at);
}

static bool is_heap(uint32_t kind)
{
        return kind >= WIRE_FAIL_USE_AFTER_FREE && kind <= WIRE_FAIL_OUT_OF_BOUNDS;
}

bool path_at_end(struct thread *t)
{
        return path_of(t) && t->path.path == rt.down->paths.failing + 1 && is_done(t);
}

static bool all_done(void)
{
        uint32_t n = 0;

        for (uint32_t i = 0; i < ex.n_threads; i++) {
                if (threads[i].state == WIRE_T_UNUSED || thread_is_buffer(&threads[i]))
                        continue;
                if (!is_done(&threads[i]))
                        return false;
                n++;
        }
        return n >= rt.down->paths.n;
}

bool path_reached(void)
{
        return rt.down->paths.failure == REC_DUMP && rt.down->paths.failing == UINT32_MAX && all_done();
}

bool path_counts(struct thread *t, uint32_t kind, uint32_t status, const char *text)
{
        bool here = path_at_end(t);

        switch (rt.down->paths.failure) {
        case REC_ASSERTION: return kind == WIRE_FAIL_ASSERTION && here && path_near_place(text);
        case REC_CRASH: return (kind == WIRE_FAIL_CRASH && here) || is_heap(kind) || kind == WIRE_FAIL_MISUSE;
        case REC_ABORT: return (kind == WIRE_FAIL_ABORT && here) || is_heap(kind) || kind == WIRE_FAIL_MISUSE;
        case REC_EXIT: return kind == WIRE_FAIL_EXIT_STATUS && status == rt.down->paths.status;
        case REC_HANG: return kind == WIRE_FAIL_LOOP || kind == WIRE_FAIL_MISUSE;
        case REC_DUMP: return kind == WIRE_FAIL_ABORT && (here || path_reached());
        default: return false;
        }
}

bool path_hangs(void)
{
        return rt.down->paths.failure == REC_HANG && all_done();
}

static uint64_t followed(const struct path_state *s)
{
        return s->at > s->near.missed ? s->at - s->near.missed : 0;
}

void path_report(void)
{
        if (!path_on)
                return;
        for (uint32_t i = 0; i < WIRE_MAX_PATHS; i++)
                rt.up->followed[i] = 0;
        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (threads[i].path.path && threads[i].path.path <= WIRE_MAX_PATHS)
                        rt.up->followed[threads[i].path.path - 1] = followed(&threads[i].path);
        rt.up->left_path = path_left_at();
        rt.up->followed_all = 0;
        for (uint32_t i = 0; i < WIRE_MAX_PATHS; i++)
                rt.up->followed_all += rt.up->followed[i];
}

void path_window(struct thread *t, uint64_t *from, uint64_t *until)
{
        const struct wire_path *p = path_of(t);
        const struct wire_stamp *at = p ? &rt.down->paths.stamps[p->first_stamp] : NULL;

        if (p)
                pass_stamps(&t->path, p);
        *from = p && t->path.stamp ? at[t->path.stamp - 1].time : 0;
        *until = p && t->path.stamp < p->n_stamps ? at[t->path.stamp].time : UINT64_MAX;
}

uint32_t path_core(struct thread *t)
{
        const struct wire_path *p = path_of(t);
        const struct wire_stamp *at = p ? &rt.down->paths.stamps[p->first_stamp + t->path.stamp] : NULL;

        return p && t->path.stamp && t->path.stamp < p->n_stamps && at[-1].core == at[0].core ? at->core : PATH_NO_CORE;
}

bool path_input(enum rec_input kind, uint64_t *value)
{
        const struct wire_paths *all = &rt.down->paths;
        const struct wire_path *p = path_on && rt_cur ? path_of(rt_cur) : NULL;
        uint32_t *at;

        if (!p || rt_cur->path.handlers || rt_cur->path.at < p->lost)
                return false;
        at = &rt_cur->path.input[all->untyped ? 0 : kind];
        while (*at < p->n_inputs && !all->untyped && all->input_kinds[p->first_input + *at] != kind)
                ++*at;
        if (*at == p->n_inputs)
                return false;
        *value = all->inputs[p->first_input + (*at)++];
        return true;
}
