/*
 * Marks are looked up once the modules are known: functions by name or pattern in the symbol table of the program, and
 * attributes (heddle/heddle.h) as sections, of all modules, that what carries them was put into.
 */
#include "program/preemption_points.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/distance.h"
#include "trace/race.h"

/* A search through functions or variables. */
struct search {
        struct program *p;
        const struct config_mark *mark;
        uint32_t rule;
        uint32_t found;
        char near[128];
        size_t distance;
        bool full;
};

static const char *const option_of[] = {
        [MARK_WITHIN] = "within",   [MARK_WITHOUT] = "without", [MARK_TRUST] = "trust",
        [MARK_NO_RACE] = "no-race", [MARK_IGNORE] = "ignore",
};

static bool add_mark(struct program *p, uint64_t lo, uint64_t hi, uint32_t kind, uint32_t rule)
{
        struct wire_down *d = p->target.down;

        if (d->n_marks == WIRE_MAX_MARKS)
                return false;
        d->marks[d->n_marks++] = (struct wire_mark){.lo = lo, .hi = hi, .kind = kind, .rule = rule};
        return true;
}

static bool add_ignored(struct program *p, uint64_t lo, uint64_t hi)
{
        struct wire_down *d = p->target.down;

        if (d->n_ignored == WIRE_MAX_IGNORED)
                return false;
        d->ignored[d->n_ignored++] = (struct wire_range){lo, hi};
        return true;
}

static void near_miss(struct search *f, const char *name)
{
        size_t d = distance_words(name, f->mark->pattern);

        if (d < f->distance) {
                f->distance = d;
                snprintf(f->near, sizeof f->near, "%s", name);
        }
}

static bool matches(const struct search *f, const char *name)
{
        return name && fnmatch(f->mark->pattern, name, 0) == 0;
}

static bool look_function(void *arg, const char *name, uint64_t addr, uint64_t size)
{
        static const uint32_t kinds[] = {
                [MARK_WITHIN] = WIRE_MARK_RULE,
                [MARK_WITHOUT] = WIRE_MARK_RULE,
                [MARK_TRUST] = WIRE_MARK_TRUST,
                [MARK_NO_RACE] = WIRE_MARK_NO_RACE,
        };
        struct search *f = arg;
        const char *pretty = !strncmp(name, "_Z", 2) ? symbols_function(f->p->symbols, addr) : NULL;

        if (!matches(f, name) && !matches(f, pretty)) {
                near_miss(f, pretty ? pretty : name);
                return true;
        }
        f->found++;
        f->full = !add_mark(f->p, addr, addr + size, kinds[f->mark->kind], f->rule);
        return !f->full;
}

static bool look_variable(void *arg, const char *name, uint64_t addr, uint64_t size)
{
        struct search *f = arg;
        char *pretty = !strncmp(name, "_Z", 2) ? symbols_pretty(name) : NULL;
        bool found = matches(f, name) || matches(f, pretty);

        if (!found)
                near_miss(f, pretty ? pretty : name);
        free(pretty);
        if (!found)
                return true;
        f->found++;
        f->full = !add_ignored(f->p, addr, addr + size);
        return !f->full;
}

static int send_mark(struct program *p, const struct config_mark *m)
{
        char whose[32] = "";

        if (m->actor != WIRE_NO_ACTOR)
                snprintf(whose, sizeof whose, " of T%u", m->actor);
        switch (m->kind) {
        case MARK_WITHIN: return facts_exclude(p->facts, "preemptions%s outside %s (--within)", whose, m->pattern);
        case MARK_WITHOUT: return facts_exclude(p->facts, "preemptions%s in %s (--without)", whose, m->pattern);
        case MARK_TRUST: return facts_exclude(p->facts, "memory accesses in %s (--trust)", m->pattern);
        case MARK_NO_RACE: return facts_exclude(p->facts, "races in %s (--no-race)", m->pattern);
        default: return facts_exclude(p->facts, "accesses to %s (--ignore)", m->pattern);
        }
}

static int find_mark(struct program *p, const struct config_mark *m)
{
        struct wire_down *d = p->target.down;
        struct search f = {.p = p, .mark = m, .rule = d->n_rules, .distance = strlen(m->pattern) / 2 + 1};
        const char *what = m->kind == MARK_IGNORE ? "global variable" : "function";

        if (m->kind == MARK_WITHIN || m->kind == MARK_WITHOUT) {
                if (d->n_rules == WIRE_MAX_RULES)
                        return error_set(p->why, ERROR_USAGE, "--%s: at most %u of --within and --without can be given",
                                         option_of[m->kind], WIRE_MAX_RULES);
                d->rules[d->n_rules++] = (struct wire_rule){.within = m->kind == MARK_WITHIN, .actor = m->actor};
        }
        if (m->kind == MARK_IGNORE)
                symbols_variables(p->symbols, look_variable, &f);
        else
                symbols_functions(p->symbols, "", look_function, &f);
        if (f.full)
                return error_set(p->why, ERROR_USAGE, "--%s %.100s: too many; at most %u are supported",
                                 option_of[m->kind], m->pattern,
                                 m->kind == MARK_IGNORE ? WIRE_MAX_IGNORED : WIRE_MAX_MARKS);
        if (f.found)
                return send_mark(p, m);
        return error_set(p->why, ERROR_USAGE, "--%s: the program has no %s '%.100s'%s%s%s", option_of[m->kind], what,
                         m->pattern, f.near[0] ? "; did you mean '" : "; check its name", f.near,
                         f.near[0] ? "'?" : "");
}

/* Attributes of the program, which are sections. */

struct section {
        struct program *p;
        uint32_t kind;
        uint32_t found;
};

static void take_code(void *arg, uint64_t lo, uint64_t hi)
{
        struct section *c = arg;

        c->found += add_mark(c->p, lo, hi, c->kind, 0);
}

static void take_data(void *arg, uint64_t lo, uint64_t hi)
{
        struct section *c = arg;

        c->found += add_ignored(c->p, lo, hi);
}

static int find_attributes(struct program *p)
{
        struct section c = {.p = p, .kind = WIRE_MARK_TRUST};
        int e = RUN_OK;

        symbols_sections(p->symbols, "heddle_trust", take_code, &c);
        if (c.found)
                e = facts_exclude(p->facts, "memory accesses in functions marked HEDDLE_TRUST");
        c = (struct section){.p = p, .kind = WIRE_MARK_NO_RACE};
        symbols_sections(p->symbols, "heddle_no_race", take_code, &c);
        if (c.found && e == RUN_OK)
                e = facts_exclude(p->facts, "races in functions marked HEDDLE_NO_RACE");
        c = (struct section){.p = p, .kind = WIRE_MARK_LOCK};
        if (!p->config->test_locks)
                symbols_sections(p->symbols, "heddle_lock", take_code, &c);
        if (c.found && e == RUN_OK)
                e = facts_exclude(p->facts,
                                  "preemptions in functions marked HEDDLE_LOCK, except where they wait (--test-locks)");
        p->target.blocks |= c.found > 0;
        c.found = 0;
        symbols_sections(p->symbols, "heddle_ignore", take_data, &c);
        if (c.found && e == RUN_OK)
                e = facts_exclude(p->facts, "accesses to variables marked HEDDLE_IGNORE");
        return e;
}

static bool add_atomic(void *arg, const char *name, uint64_t lo, uint64_t size)
{
        if (strcmp(name, "__VERIFIER_atomic_begin") != 0 && strcmp(name, "__VERIFIER_atomic_end") != 0)
                add_mark(arg, lo, lo + size, WIRE_MARK_ATOMIC,
                         0); /* beyond the room for them: more interleavings, not fewer */
        return true;
}

/* SV-COMP's property is the call, whatever the program's own function does then. */
static bool add_error(void *arg, const char *name, uint64_t lo, uint64_t size)
{
        static const char *const names[] = {"reach_error", "_Z11reach_errorv", "_ZL11reach_errorv", "__VERIFIER_error"};

        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
                if (strcmp(name, names[i]) == 0)
                        return add_mark(arg, lo, lo + size, WIRE_MARK_ERROR, 0);
        return true;
}

/* Also the part of it that the compiler has moved away (".cold"). */
static bool add_assume(void *arg, const char *name, uint64_t lo, uint64_t size)
{
        static const char *const names[] = {"assume_abort_if_not",      "_Z19assume_abort_if_not",
                                            "_ZL19assume_abort_if_not", "__VERIFIER_assume",
                                            "_Z17__VERIFIER_assume",    "_ZL17__VERIFIER_assume"};

        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
                size_t n = strlen(names[i]);
                if (strncmp(name, names[i], n) == 0 && (!name[n] || name[n] == '.' || names[i][1] == 'Z'))
                        return add_mark(arg, lo, lo + size, WIRE_MARK_ASSUME, 0);
        }
        return true;
}

int points_find(struct program *p)
{
        const struct config *c = p->config;
        struct wire_down *d = p->target.down;
        int e = RUN_OK;

        d->n_marks = d->n_rules = d->n_ignored = d->n_sites = 0;
        d->sites_seq++;
        if (c->n_marks && !c->instrumented)
                return error_set(p->why, ERROR_USAGE,
                                 "--%s: the program was not built by 'heddle cc', so neither its calls nor its memory "
                                 "accesses are seen; build it so",
                                 option_of[c->marks[0].kind]);
        if (c->preempt == WIRE_PREEMPT_RACES && !c->instrumented && !c->replay)
                return error_set(
                        p->why, ERROR_USAGE,
                        "--preempt races: the program was not built by 'heddle cc', so its memory accesses are not "
                        "seen; build it so, or use --preempt sync");
        facts_forget_excluded(p->facts);
        for (uint32_t i = 0; i < c->n_marks && e == RUN_OK; i++)
                e = find_mark(p, &c->marks[i]);
        if (e == RUN_OK)
                e = find_attributes(p);
        if (e == ERROR_FAIL)
                error_set(p->why, ERROR_FAIL, "out of memory");
        p->target.blocks |= d->n_rules > 0;
        d->preempt = p->target.blocks ? WIRE_PREEMPT_SYNC : WIRE_PREEMPT_ALL;
        symbols_functions(p->symbols, "__VERIFIER_atomic_", add_atomic, p);
        symbols_functions(p->symbols, "reach_error", add_error, p);
        symbols_functions(p->symbols, "_Z", add_error, p);
        symbols_functions(p->symbols, "__VERIFIER_error", add_error, p);
        symbols_functions(p->symbols, "assume_abort_if_not", add_assume, p);
        symbols_functions(p->symbols, "_Z", add_assume, p);
        symbols_functions(p->symbols, "__VERIFIER_assume", add_assume, p);
        /* std::__detail::__atomic_spin: looks 16 times before it waits, and may as well look at once (docs/proofs/synchronization.md) */
        symbols_functions(p->symbols, "_ZNSt8__detail13__atomic_spinI", add_atomic, p);
        return e;
}

bool points_has(const struct program *p, uint64_t site)
{
        const struct wire_down *d = p->target.down;

        for (uint32_t i = 0; i < d->n_sites; i++)
                if (d->sites[i] == site)
                        return true;
        return p->config->preempt == WIRE_PREEMPT_ALL;
}

/* Atomics and frees are points anyhow, and inside an atomic section nothing is. */
static bool add_site(struct program *p, const struct race_access *a)
{
        struct wire_down *d = p->target.down;

        if (race_is_point(a->kind) || points_has(p, a->site))
                return true;
        if (d->n_sites == WIRE_MAX_SITES)
                return false;
        d->sites[d->n_sites++] = a->site;
        d->sites_seq++;
        return true;
}

int points_too_many(struct program *p)
{
        return error_set(p->why, ERROR_FAIL, "more than %u accesses race; use --preempt all, or sync", WIRE_MAX_SITES);
}

int points_learn(struct program *p, const struct race *races, uint32_t n, uint32_t *learnt)
{
        uint32_t before = p->target.down->n_sites;

        if (p->config->preempt != WIRE_PREEMPT_RACES)
                return RUN_OK;
        for (; *learnt < n; ++*learnt)
                for (int i = 0; i < 2; i++)
                        if (!add_site(p, &races[*learnt].access[i]))
                                return points_too_many(p);
        return p->target.down->n_sites > before ? RUN_GREW : RUN_OK;
}

/* The set of a strategy that chooses points by itself. */
static void write_set(struct wire_down *d, const struct point_set *p)
{
        uint32_t n = p->n_sites < WIRE_MAX_SITES ? p->n_sites : WIRE_MAX_SITES;

        d->points = p->classes;
        if (d->n_sites == n && (!n || !memcmp(d->sites, p->sites, n * sizeof *d->sites)))
                return;
        if (n)
                memcpy(d->sites, p->sites, n * sizeof *d->sites);
        d->n_sites = n;
        d->sites_seq++;
}

void points_write(struct program *p, const struct point_set *set)
{
        if (set)
                write_set(p->target.down, set);
        else
                p->target.down->points = p->config->preempt == WIRE_PREEMPT_ALL ? WIRE_POINT_ALL : WIRE_POINT_SYNC;
}

uint64_t points_many(const struct program *p)
{
        const struct wire_down *d = p->target.down;

        return (uint64_t)__builtin_popcount(d->points) << 32 | d->n_sites;
}
