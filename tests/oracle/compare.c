/*
 * The oracle: searches random programs without any reduction (dfs) and with each (dpor, optimal), and compares what the
 * searches found; the same search by two explorers, or stored and taken up again, must find everything as often, and one
 * that draws executions by chance nothing else.  What dfs found is also compared with a model that knows nothing of
 * heddle (model.c).  dpor and optimal must run exactly one execution of each Mazurkiewicz trace that those of dfs are of
 * (--count-classes), and optimal starts no redundant ones where the program has none of the causes that
 * docs/proofs/optimal.md lists.
 *
 *     compare [--heddle F] [--build-with F] [--generate F] [--dir D] [--seed N] [--programs N] [--per N] [--limit N]
 *             [--jobs N] [--stop] [--reuse] [--only I] [--with WORD] [--mix WORD]
 *
 * Programs come in binaries of --per, few enough that the rest of a binary costs a run little; a worker takes one binary
 * after the other.  rows.h says what is compared with what, and for which part of the programs.  Each mode is run once for a
 * program.  A difference is reduced: operations are dropped from the program
 * while it still differs.  --stop ends everything at the first difference and does not reduce; --only looks at one
 * program of each binary, --with at rows that have this option or value, for all programs; --reuse takes binaries that are there already, and leaves them there.
 * --mix says what the programs are about (generate.c).
 */
#include "arguments.h"
#include "command.h"
#include "rows.h"
#include "verdict.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECONDS     15 /* for one check */
#define MAX_IDS     128
#define MAX_REDUCED 3 /* differences reduced per worker: each costs a minute */

struct options {
        const char *heddle, *build_with, *generate, *dir;
        unsigned long long seed;
        const char *with; /* NULL: all rows */
        const char *mix;  /* of the generator */
        int programs, per, limit, jobs, only;
        bool stop, reuse;
};

/* Shared by the workers. */
struct totals {
        atomic_int next, differences, failed_binaries, first; /* first: ordinal of the first differing program */
        atomic_int compared; /* rows of programs */
        atomic_int programs, modelled, blocks, deadlocks, failures, skipped;
        atomic_ullong dfs, dpor, redundant, vain, outcomes;
        atomic_int reduced;
};

static const struct table *table_of(const struct options *o)
{
        const struct table *t = tables;
        while (t->mix && strcmp(t->mix, o->mix) != 0)
                t++;
        return t;
}

struct binary {
        const struct options *o;
        struct totals *totals;
        unsigned long long seed;
        char base[200]; /* path without ".c" */
};

/* Writes and builds the programs of a seed, or one of them (index >= 0) without the operations in `drop`. */
static int build(const struct options *o, unsigned long long seed, int index, const char *drop, const char *base)
{
        char limit[16], number[32], count[16], which[16], source[256], model[256], err[256];
        snprintf(limit, sizeof(limit), "%d", o->limit);
        snprintf(number, sizeof(number), "%llu", seed);
        snprintf(count, sizeof(count), "%d", o->per);
        snprintf(which, sizeof(which), "%d", index);
        snprintf(source, sizeof(source), "%s.c", base);
        snprintf(model, sizeof(model), "%s.model", base);
        snprintf(err, sizeof(err), "%s.err", base);
        char *gen[] = {(char *)o->generate, "-x", "-m", (char *)o->mix, "-l", limit, number, count,
                       index >= 0 ? which : NULL, drop && *drop ? (char *)drop : NULL, NULL};
        char *cc[] = {(char *)o->build_with, "cc", "-O0", "-g", "-pthread", source, "-o", (char *)base, NULL};
        if (command_run(gen, model, err, 60) != 0)
                return -1;
        for (int i = 1; gen[i]; i++) /* the same without -x */
                gen[i] = gen[i + 1];
        if (command_run(gen, source, err, 60) != 0)
                return -1;
        return command_run(cc, NULL, err, 300) == 0 ? 0 : -1;
}

/* Where redundant executions are allowed. */
static const char *const vain[] = {"choose", "signal", "sem_", "try", "compare", "atomic_begin", "once", "FUTEX",
                                   "ends", "detach", "timed", "cancel", "barrier", "cond_wait", "while (__atomic", NULL};

/* The source of one program of a binary, "" when it cannot be read; freed by the caller. */
static char *source_of(const char *base, int index)
{
        char path[256], head[32];
        snprintf(path, sizeof(path), "%s.c", base);
        snprintf(head, sizeof(head), "/* program %d:", index);
        char *all = command_read(path), *text = NULL;
        char *from = all ? strstr(all, head) : NULL;
        if (from) {
                char *to = strstr(from + 1, "/* program ");
                text = strndup(from, to ? (size_t)(to - from) : strlen(from));
        }
        free(all);
        return text ? text : strdup("");
}

/* Has it one of these in it?  Said of a source that could not be read, too. */
static bool has(const char *source, const char *const *words)
{
        bool found = !*source;
        for (int i = 0; !found && words[i]; i++)
                found = strstr(source, words[i]) != NULL;
        return found;
}

/* May a thread still run when main returns?  One that is detached, or whose creator was cancelled. */
static bool outlives(const char *source)
{
        const char *last = strstr(source, "static int p"), *create = strstr(source, "pthread_create(&t");
        if (has(source, (const char *const[]){"detach", "exit(0)", NULL}))
                return true;
        return has(source, (const char *const[]){"pthread_cancel", NULL}) && create && last && create < last;
}

static const struct mode dpor = ALL("dpor"), optimal = ALL("optimal");

static bool same_mode(const struct mode *a, const struct mode *b)
{
        return a && memcmp(a, b, sizeof(*a)) == 0;
}

/* The row that tells how many executions of optimal were redundant. */
static bool unaided(const struct row *row)
{
        return same_mode(&row->modes[0], &dpor) && same_mode(&row->modes[1], &optimal);
}

static bool too_large(const struct verdict *v, const struct mode *mode)
{
        return v->ok && !v->complete && mode->how != DRAWN &&
               (strstr(v->why_incomplete, "time") || strstr(v->why_incomplete, "--executions"));
}

/* What was said of one program so far, by mode. */
struct answers {
        struct answer {
                const struct mode *mode;
                struct verdict v;
        } at[2 * MAX_ROWS];
        int n;
};

static void answers_fini(struct answers *s)
{
        for (int i = 0; i < s->n; i++)
                verdict_fini(&s->at[i].v);
        s->n = 0;
}

/* Asks heddle unless it was asked before. */
static struct verdict *answer(struct answers *s, const struct options *o, const char *program, int index,
                              const struct mode *mode, uint64_t half)
{
        for (int i = 0; i < s->n; i++)
                if (same_mode(s->at[i].mode, mode))
                        return &s->at[i].v;
        struct answer *new = &s->at[s->n++];
        new->mode = mode;
        verdict_get(&new->v, o->heddle, program, index, mode, SECONDS, half);
        return &new->v;
}

/* Compares one program in one pair of modes.  1: equal, 0: differs (text says how), -1: too large to tell. */
static int compare(const struct options *o, const char *program, int index, const char *source, const struct row *row,
                   struct answers *known, struct verdict *pair_of[2], char *text, int size)
{
        const struct mode *pair = row->modes;
        struct verdict model, *a, *b;
        char path[256];
        bool alike = strcmp(pair[0].preempt, pair[1].preempt) == 0; /* blocks of other sizes make other classes */
        bool sealed = pair[0].more[0] && strchr(pair[0].more[0], '*') != NULL;
        bool failing = pair[0].more[0] && strcmp(pair[0].more[0], "--fail-malloc=1") == 0;
        if (failing && !has(source, (const char *const[]){"allocates", NULL}))
                return -1; /* nothing is allocated */
        if (sealed && !has(source, (const char *const[]){strrchr(pair[0].more[0], '_'), NULL}))
                return -1; /* there is no such thread */
        if (!alike && outlives(source))
                return -1; /* what main's return observes of a thread that still runs, it sees at points */
        pair_of[0] = a = answer(known, o, program, index, &pair[0], 0);
        if (too_large(a, &pair[0]))
                return -1;
        pair_of[1] = b = answer(known, o, program, index, &pair[1], a->executions / 2);
        if (too_large(b, &pair[1]))
                return -1;
        bool once = strcmp(pair[1].strategy, "filters") != 0 || /* docs/proofs/states.md */
                    !has(source, (const char *const[]){"atomic_begin", NULL}) ||
                    !has(source, (const char *const[]){"choose", NULL});
        /* A schedule may rely on a read whose loop was not known when it was made (docs/proofs/loops.md). */
        bool waits = strcmp(pair[1].strategy, "optimal") == 0 && has(source, (const char *const[]){"while (__atomic", NULL});
        int equal = verdict_equal(a, b, &pair[0], &pair[1], alike && !sealed && once && !waits, text, size);
        if (equal && row == table_of(o)->rows) {
                snprintf(path, sizeof(path), "%s.model", program);
                verdict_of_model(&model, path, index, NULL);
                equal = verdict_matches(&model, a, text, size);
                verdict_fini(&model);
        }
        if (equal && unaided(row) && b->blocked && !has(source, vain)) {
                snprintf(text, (size_t)size, "    %llu runs in vain\n", (unsigned long long)b->blocked);
                equal = 0;
        }
        if (alike && !b->values)
                b->values = a->values; /* for those that it is compared with next */
        return equal;
}

static bool still_differs(const struct options *o, unsigned long long seed, int index, const struct row *row,
                          const bool *dropped, const char *base)
{
        char drop[MAX_IDS * 4] = "", text[4096];
        int n = 0;
        struct answers known = {0};
        struct verdict *pair[2];
        for (int i = 0; i < MAX_IDS; i++)
                if (dropped[i])
                        n += snprintf(drop + n, sizeof(drop) - (size_t)n, "%s%d", n ? "," : "", i);
        if (build(o, seed, index, drop, base) != 0)
                return false;
        char *source = source_of(base, index);
        bool differs = compare(o, base, index, source, row, &known, pair, text, sizeof(text)) == 0;
        free(source);
        answers_fini(&known);
        return differs;
}

/* Drops operations one at a time, from the end, until none can go; leaves the smallest program in <base>.c. */
static void reduce(const struct binary *bin, int index, const struct row *row)
{
        char base[256], whole[256], line[512];
        bool dropped[MAX_IDS] = {false}, again = true;
        int nodes = 0;
        snprintf(whole, sizeof(whole), "%s-%d", bin->base, index);
        snprintf(base, sizeof(base), "%s-%d-reduced", bin->base, index);
        if (!still_differs(bin->o, bin->seed, index, row, dropped, whole)) {
                printf("    (alone, the program does not differ: %s.c)\n", whole);
                return;
        }
        snprintf(line, sizeof(line), "%s.c", whole);
        FILE *f = fopen(line, "r");
        while (f && fgets(line, sizeof(line), f))
                if (sscanf(line, "/* program %*d: nodes %d,", &nodes) == 1)
                        break;
        if (f)
                fclose(f);
        while (again) {
                again = false;
                for (int i = nodes - 1; i >= 0; i--) {
                        if (dropped[i])
                                continue;
                        dropped[i] = true;
                        if (still_differs(bin->o, bin->seed, index, row, dropped, base))
                                again = true;
                        else
                                dropped[i] = false;
                }
        }
        still_differs(bin->o, bin->seed, index, row, dropped, base);
        printf("    whole program: %s.c, reduced: %s.c\n", whole, base);
        snprintf(line, sizeof(line), "%s.c", base);
        bool show = false;
        if ((f = fopen(line, "r"))) {
                while (fgets(line, sizeof(line), f)) {
                        show = (show || strncmp(line, "/* program", 10) == 0) && strncmp(line, "int main", 8) != 0;
                        if (show)
                                printf("    | %s", line);
                }
                fclose(f);
        }
}

static void count(struct binary *bin, int index, const struct verdict *a, const struct verdict *b)
{
        struct totals *t = bin->totals;
        struct verdict model;
        char path[256];
        bool blocks = false;
        snprintf(path, sizeof(path), "%s.model", bin->base);
        verdict_of_model(&model, path, index, &blocks);
        atomic_fetch_add(&t->programs, 1);
        atomic_fetch_add(&t->modelled, model.ok);
        atomic_fetch_add(&t->blocks, blocks);
        verdict_fini(&model);
        atomic_fetch_add(&t->deadlocks, a->deadlock);
        atomic_fetch_add(&t->failures, a->failure);
        atomic_fetch_add(&t->outcomes, (unsigned)a->outcomes.n);
        atomic_fetch_add(&t->dfs, a->executions);
        atomic_fetch_add(&t->dpor, b->executions);
        atomic_fetch_add(&t->redundant, b->blocked);
}

/* A difference: noted, reported, reduced. */
static void tell(struct binary *bin, int number, int index, const struct row *row, const char *text)
{
        struct totals *t = bin->totals;
        int ordinal = number * bin->o->per + index + 1, first = atomic_load(&t->first);
        const struct mode *m = row->modes;
        while ((first == 0 || ordinal < first) && !atomic_compare_exchange_weak(&t->first, &first, ordinal))
                ;
        static const char *const hows[] = {"", " shared", " stored", " stored and shared", " drawn"};
        printf("  seed %llu program %d, %s/%s against %s/%s%s, --preempt %s, bound %s", bin->seed, index,
               m[0].strategy, m[0].isolate, m[1].strategy, m[1].isolate, hows[m[1].how], m[0].preempt,
               m[1].bound ? m[1].bound : "none");
        for (int i = 0; i < 4 && m[1].more[i]; i++)
                printf(" %s", m[1].more[i]);
        printf(": differs\n%s", text);
        if (!bin->o->stop && atomic_fetch_add(&t->reduced, 1) < MAX_REDUCED)
                reduce(bin, index, row);
        fflush(stdout);
}

/* Is it this option or value, or an option with this name? */
static bool is_word(const char *option, const char *word)
{
        size_t n = strlen(word);
        return strcmp(option, word) == 0 || (strncmp(option, "--", 2) == 0 && strncmp(option + 2, word, n) == 0 && option[2 + n] == '=');
}

/* Does one of its modes have it, or the second this strategy? */
static bool is_with(const struct row *row, const char *word)
{
        bool found = !word || strcmp(row->modes[1].strategy, word) == 0;
        for (int i = 0; i < 8 && !found; i++)
                found = row->modes[i / 4].more[i % 4] && is_word(row->modes[i / 4].more[i % 4], word);
        return found;
}

/* Is this row for this program?  Neighbours differ in it, whatever binaries they are in. */
static bool is_for(const struct row *row, const struct table *table, uint64_t ordinal)
{
        return (ordinal + (uint64_t)(row - table->rows)) % (unsigned)row->every == 0;
}

static int check_program(struct binary *bin, int number, int index)
{
        struct totals *t = bin->totals;
        struct answers known = {0};
        struct verdict *pair[2];
        char *source = source_of(bin->base, index);
        int equal = 1;
        const struct table *table = table_of(bin->o);
        uint64_t ordinal = bin->seed * (unsigned)bin->o->per + (unsigned)index;
        for (const struct row *row = table->rows; row < table->rows + table->n && equal; row++) {
                char text[8192] = "";
                if (!(bin->o->with ? is_with(row, bin->o->with) : is_for(row, table, ordinal)))
                        continue;
                equal = compare(bin->o, bin->base, index, source, row, &known, pair, text, sizeof(text));
                atomic_fetch_add(&t->compared, equal >= 0);
                if (equal < 0)
                        atomic_fetch_add(&t->skipped, 1);
                else if (row == table->rows)
                        count(bin, index, pair[0], pair[1]);
                else if (unaided(row))
                        atomic_fetch_add(&t->vain, pair[1]->blocked);
                if (!equal)
                        tell(bin, number, index, row, text);
        }
        free(source);
        answers_fini(&known);
        return !equal;
}

static void check_binary(struct binary *bin, int number, int programs)
{
        const struct options *o = bin->o;
        struct totals *t = bin->totals;
        char path[256];
        int differences = 0, done = 0;
        bin->seed = o->seed + (unsigned)number;
        snprintf(bin->base, sizeof(bin->base), "%s/%s%llu", o->dir, strcmp(o->mix, "all") ? o->mix : "s", bin->seed);
        if (!(o->reuse && access(bin->base, X_OK) == 0) && build(o, bin->seed, -1, NULL, bin->base) != 0) {
                printf("FAIL oracle seed=%llu: cannot be built, see %s.err\n", bin->seed, bin->base);
                atomic_fetch_add(&t->failed_binaries, 1);
                return;
        }
        for (int i = 0; i < programs; i++) {
                if (o->stop && atomic_load(&t->first))
                        break;
                if (o->only >= 0 && i != o->only)
                        continue;
                differences += check_program(bin, number, i);
                done++;
        }
        atomic_fetch_add(&t->differences, differences);
        if (differences) {
                atomic_fetch_add(&t->failed_binaries, 1);
                printf("FAIL oracle seed=%llu programs=%d differences=%d\n", bin->seed, done, differences);
        } else {
                printf("PASS oracle seed=%llu programs=%d\n", bin->seed, done);
                static const char *const ends[] = {"", ".c", ".model", ".out", ".err"};
                for (int i = 0; !o->reuse && i < 5; i++) {
                        snprintf(path, sizeof(path), "%s%s", bin->base, ends[i]);
                        unlink(path);
                }
        }
        fflush(stdout);
}

static void worker(const struct options *o, struct totals *t)
{
        struct binary bin = {.o = o, .totals = t};
        int binaries = (o->programs + o->per - 1) / o->per, number;
        while ((number = atomic_fetch_add(&t->next, 1)) < binaries) {
                if (o->stop && atomic_load(&t->first))
                        break;
                int left = o->programs - number * o->per;
                check_binary(&bin, number, left < o->per ? left : o->per);
        }
}

static int parse(struct options *o, int argc, char **argv)
{
        const char *seed = "1";
        const struct argument list[] = {
                {"--heddle", .text = &o->heddle},      {"--build-with", .text = &o->build_with},
                {"--generate", .text = &o->generate},  {"--dir", .text = &o->dir},
                {"--seed", .text = &seed},             {"--programs", .number = &o->programs},
                {"--per", .number = &o->per},          {"--limit", .number = &o->limit},
                {"--jobs", .number = &o->jobs},        {"--with", .text = &o->with},
                {"--only", .number = &o->only},        {"--stop", .flag = &o->stop},
                {"--reuse", .flag = &o->reuse},        {"--mix", .text = &o->mix},
                {.name = NULL},
        };
        int error = arguments_parse(list, argc, argv);
        o->seed = strtoull(seed, NULL, 0);
        if (!o->build_with)
                o->build_with = o->heddle;
        return !error && o->per > 0 && o->jobs > 0 && o->programs > 0 ? 0 : -1;
}

static int summary(const struct options *o, const struct totals *t)
{
        int n = t->programs ? t->programs : 1;
        printf("oracle: mix %s, seeds %llu..%llu, %d programs (%d modelled), %d%% block, %d%% deadlock, %d%% fail, %llu outcomes, "
               "executions: dfs %llu, dpor %llu (+%llu redundant, optimal +%llu), %d comparisons, %d too large to tell\n",
               o->mix, o->seed, o->seed + (unsigned)((o->programs - 1) / o->per), t->programs, t->modelled,
               t->blocks * 100 / n,
               t->deadlocks * 100 / n, t->failures * 100 / n, t->outcomes, t->dfs, t->dpor, t->redundant, t->vain,
               t->compared, t->skipped);
        if (t->first)
                printf("oracle: first difference after %d programs\n", t->first);
        return t->failed_binaries ? 1 : 0;
}

int main(int argc, char **argv)
{
        struct options o = {.heddle = "build/heddle", .generate = "build/oracle/generate", .dir = "build/oracle",
                            .programs = 2000, .per = 30, .limit = 10000, .jobs = 2, .only = -1, .mix = "all"};
        if (parse(&o, argc, argv) != 0) {
                fputs("compare: wrong option; see the head of tests/oracle/compare.c\n", stderr);
                return 2;
        }
        mkdir(o.dir, 0777);
        struct totals *t = mmap(NULL, sizeof(*t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (t == MAP_FAILED)
                return 2;
        for (int i = 0; i < o.jobs; i++) {
                fflush(stdout);
                pid_t pid = fork();
                if (pid == 0) {
                        worker(&o, t);
                        exit(0);
                }
        }
        int status, lost = 0;
        while (wait(&status) > 0)
                lost |= status != 0;
        if (lost)
                printf("FAIL oracle: a worker died\n");
        return summary(&o, t) || lost;
}
