/*
 * heddle beside the reference model: for random programs, and sc, tso and pso in turn, the outcomes must be the same, and
 * the executions of each outcome under dpor and optimal must be as many as it has Shasha-Snir traces.
 *
 *     compare [--heddle F] [--build-with F] [--dir D] [--seed N] [--programs N] [--jobs N] [--memory M,...] [--strategy S]
 *             [--only I] [--stop] [--sets]
 *
 * Programs come in binaries of PER, compiled with -O0 and -O2 in turn; one run of heddle explores BATCH of them, chosen
 * by heddle_choose.  dfs gets those that have few executions.  What differs is reduced: operations are dropped while it
 * still differs.  --stop ends at the first difference, which is not reduced; --sets compares no counts.
 */
#include "../oracle/json.h"
#include "model/model.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PER         100
#define BATCH       25
#define DFS_PATHS   4000   /* dfs runs only what has fewer executions */
#define DFS_WEAK    200000 /* ... in the model, where stores are steps */
#define MAX_REDUCED 2      /* differences reduced by one process */

struct options {
        const char *heddle, *build_with, *dir, *strategy;
        uint64_t seed;
        int programs, jobs, only;
        bool memories[N_MEMORIES], stop, sets;
};

static struct totals {
        atomic_int next, differences, programs, skipped, first;
        atomic_ullong executions[N_MEMORIES], vain[N_MEMORIES], outcomes[N_MEMORIES], dfs;
} * totals;

static const char *const strategies[] = {"dfs", "dpor", "optimal"};

struct binary {
        const struct options *o;
        char path[256]; /* without .c */
        const char *level;
        int n;
        struct program programs[PER];
        struct behaviours model[PER];  /* under the memory model at hand */
        struct behaviours heddle[PER]; /* what heddle found */
};

/* Standard output of a command, as text; NULL when it cannot be had.  Standard error goes to a file. */
static char *output_of(char *const argv[], const char *err, int *status)
{
        int fd[2];
        char *text = NULL;
        size_t size = 0;
        if (pipe(fd) != 0)
                return NULL;
        pid_t pid = fork();
        if (pid == 0) {
                dup2(fd[1], 1);
                close(fd[0]);
                close(fd[1]);
                if (!freopen("/dev/null", "r", stdin) || !freopen(err, "w", stderr))
                        _exit(127);
                execvp(argv[0], argv);
                _exit(127);
        }
        close(fd[1]);
        FILE *f = fdopen(fd[0], "r");
        if (f && getdelim(&text, &size, '\0', f) < 0) {
                free(text);
                text = strdup("");
        }
        if (f)
                fclose(f);
        waitpid(pid, status, 0);
        return text;
}

static int build(const struct binary *b)
{
        char source[300], err[300];
        int status;
        snprintf(source, sizeof(source), "%s.c", b->path);
        snprintf(err, sizeof(err), "%s.err", b->path);
        FILE *f = fopen(source, "w");
        if (!f)
                return -1;
        emit_head(f);
        for (int i = 0; i < b->n; i++)
                emit_program(f, &b->programs[i], i);
        emit_main(f, b->n);
        fclose(f);
        char *argv[] = {(char *)b->o->build_with,
                        "cc",
                        (char *)b->level,
                        "-g",
                        "-fno-strict-aliasing",
                        "-pthread",
                        "-w",
                        source,
                        "-o",
                        (char *)b->path,
                        NULL};
        free(output_of(argv, err, &status));
        return status ? -1 : 0;
}

static void add_outcome(struct behaviours *b, const struct json *state, uint64_t executions)
{
        struct outcome o = {.traces = executions};
        for (const struct json *m = state->first; m; m = m->next) {
                int i;
                if (sscanf(m->key, "r[%d]", &i) == 1 && i < MAX_REGS) {
                        o.r[i] = strtoull(m->text, NULL, 0);
                } else if (sscanf(m->key, "m[%d]", &i) == 1 && i < 3) {
                        uint64_t v = strtoull(m->text, NULL, 0);
                        memcpy(&o.m[8 * i], &v, 8);
                }
        }
        if (!(b->outcomes = realloc(b->outcomes, (size_t)(b->n + 1) * sizeof(o))))
                abort();
        b->outcomes[b->n++] = o;
        b->traces += executions;
}

static int by_state(const void *a, const void *b)
{
        return memcmp(a, b, offsetof(struct outcome, traces));
}

/* Runs heddle on some programs of a binary, and leaves what it found in b->heddle.  False: it failed. */
static bool run_heddle(struct binary *b, const int *list, int n, const char *strategy, enum memory memory,
                       bool *by_time)
{
        char err[300], numbers[BATCH][8];
        char *argv[BATCH + 20] = {"timeout",
                                  "-k",
                                  "5",
                                  "100",
                                  (char *)b->o->heddle,
                                  "check",
                                  "--strategy",
                                  (char *)strategy,
                                  "--memory",
                                  (char *)memory_names[memory],
                                  "--observe",
                                  "which,r,m",
                                  "--time",
                                  "60s",
                                  "--json",
                                  "-",
                                  b->path};
        int k = 17, status;
        snprintf(err, sizeof(err), "%s.err", b->path);
        for (int i = 0; i < n; i++) {
                snprintf(numbers[i], sizeof(numbers[i]), "%d", list[i]);
                argv[k++] = numbers[i];
                behaviours_fini(&b->heddle[list[i]]);
        }
        char *text = output_of(argv, err, &status);
        struct json *j = text ? json_parse(text) : NULL;
        const struct json *outcomes = j ? json_get(j, "outcomes") : NULL;
        bool ok = status == 0 && outcomes && strcmp(json_text(j, "verdict"), "safe") == 0;
        *by_time = j && strstr(json_text(j, "why_incomplete"), "time");
        for (const struct json *o = ok ? outcomes->first : NULL; o; o = o->next) {
                const struct json *state = json_get(o, "state");
                int which = atoi(json_text(state, "which"));
                if (which >= 0 && which < b->n)
                        add_outcome(&b->heddle[which], state, strtoull(json_text(o, "executions"), NULL, 0));
        }
        for (int i = 0; ok && i < n; i++) {
                struct behaviours *h = &b->heddle[list[i]];
                if (h->n)
                        qsort(h->outcomes, (size_t)h->n, sizeof(*h->outcomes), by_state);
        }
        if (ok && strcmp(strategy, "dfs") == 0)
                atomic_fetch_add(&totals->dfs, strtoull(json_text(j, "executions"), NULL, 0));
        else if (ok) {
                atomic_fetch_add(&totals->executions[memory], strtoull(json_text(j, "executions"), NULL, 0));
                atomic_fetch_add(&totals->vain[memory], strtoull(json_text(j, "blocked"), NULL, 0));
        }
        json_free(j);
        free(text);
        return ok;
}

static void print_outcome(FILE *f, const char *what, const struct outcome *o, int regs)
{
        fprintf(f, "    %s:", what);
        for (int i = 0; i < regs; i++)
                fprintf(f, " r%d=0x%llx", i, (unsigned long long)o->r[i]);
        for (int i = 0; i < 3; i++) {
                uint64_t v;
                memcpy(&v, &o->m[8 * i], 8);
                fprintf(f, " m[%d]=0x%llx", i, (unsigned long long)v);
        }
}

/* Is what heddle found what the model says?  Tells the difference where f is not NULL. */
static bool same(const struct behaviours *model, const struct behaviours *heddle, int regs, bool counts, FILE *f)
{
        int i = 0, k = 0;
        bool equal = true;
        while (i < model->n || k < heddle->n) {
                struct outcome *m = &model->outcomes[i], *h = &heddle->outcomes[k];
                int order = i == model->n ? 1 : k == heddle->n ? -1 : 0;
                if (!order)
                        order = by_state(m, h);
                bool differs = order || (counts && m->traces != h->traces);
                if (differs && f) {
                        print_outcome(f,
                                      order < 0   ? "missing"
                                      : order > 0 ? "impossible"
                                                  : "count",
                                      order > 0 ? h : m, regs);
                        fprintf(f, "  model %llu, heddle %llu\n", order > 0 ? 0 : (unsigned long long)m->traces,
                                order < 0 ? 0 : (unsigned long long)h->traces);
                }
                equal &= !differs;
                i += order <= 0;
                k += order >= 0;
        }
        return equal;
}

/* Are the executions of this program to be compared, too? */
static bool counted(const struct binary *b, int index, const char *strategy)
{
        return !b->o->sets && strcmp(strategy, "dfs") != 0 && !has_loops(&b->programs[index]);
}

/* Does program `index`, alone, differ? */
static bool differs_alone(struct binary *b, int index, const char *strategy, enum memory memory, FILE *f)
{
        bool by_time;
        struct behaviours *m = &b->model[index];
        behaviours_fini(m);
        model_run(m, &b->programs[index], memory, MODEL_STATES);
        if (m->stuck || !m->all)
                return false;
        if (!run_heddle(b, &index, 1, strategy, memory, &by_time)) {
                if (f)
                        fprintf(f, "    heddle fails: see %s.err\n", b->path);
                return !by_time;
        }
        return !same(m, &b->heddle[index], b->programs[index].n_regs, counted(b, index, strategy), f);
}

/* Drops operation i of thread t, and what belongs to it.  False: it stays. */
static bool drop(struct program *p, int t, int i)
{
        struct thread *th = &p->threads[t];
        struct op o = th->ops[i];
        int gone[2] = {i, -1};
        if (o.kind == OP_UNLOCK || o.kind == OP_SPINUNLOCK || o.kind == OP_JOIN)
                return false;
        if (o.kind == OP_CREATE && p->threads[o.off].n)
                return false;
        enum kind end = o.kind == OP_LOCK ? OP_UNLOCK : o.kind == OP_SPINLOCK ? OP_SPINUNLOCK : OP_JOIN;
        if (o.kind == OP_LOCK || o.kind == OP_SPINLOCK || o.kind == OP_CREATE)
                for (int k = i + 1; k < th->n && gone[1] < 0; k++)
                        if (th->ops[k].kind == end && th->ops[k].off == o.off)
                                gone[1] = k;
        for (int g = 1; g >= 0; g--) {
                if (gone[g] >= 0) {
                        memmove(&th->ops[gone[g]], &th->ops[gone[g] + 1],
                                (size_t)(--th->n - gone[g]) * sizeof(struct op));
                }
        }
        return true;
}

static bool drop_one(struct binary *small, const char *strategy, enum memory memory)
{
        for (int t = MAX_THREADS - 1; t >= 0; t--) {
                for (int i = small->programs[0].threads[t].n - 1; i >= 0; i--) {
                        struct program before = small->programs[0];
                        if (drop(&small->programs[0], t, i) && build(small) == 0 &&
                            differs_alone(small, 0, strategy, memory, NULL))
                                return true;
                        small->programs[0] = before;
                }
        }
        return false;
}

/* The smallest program, by dropping operations, that still differs. */
static void reduce(const struct binary *b, int index, const char *strategy, enum memory memory)
{
        struct binary *small = calloc(1, sizeof(*small));
        if (!small)
                abort();
        small->o = b->o;
        small->level = b->level;
        small->n = 1;
        small->programs[0] = b->programs[index];
        snprintf(small->path, sizeof(small->path), "%.200s-%d-reduced", b->path, index);
        if (build(small) != 0 || !differs_alone(small, 0, strategy, memory, NULL)) {
                printf("    (alone it does not differ)\n");
        } else {
                while (drop_one(small, strategy, memory))
                        ;
                build(small);
                printf("  reduced (%s.c, %s):\n", small->path, small->level);
                program_print(&small->programs[0], stdout);
                differs_alone(small, 0, strategy, memory, stdout);
        }
        fflush(stdout);
        behaviours_fini(&small->model[0]);
        behaviours_fini(&small->heddle[0]);
        free(small);
}

static void tell(struct binary *b, int index, const char *strategy, enum memory memory)
{
        static int reduced;
        int ordinal = (int)((atol(b->programs[index].name + 1) - (long)b->o->seed)) * PER + index + 1;
        int first = atomic_load(&totals->first);
        while ((first == 0 || ordinal < first) && !atomic_compare_exchange_weak(&totals->first, &first, ordinal))
                ;
        atomic_fetch_add(&totals->differences, 1);
        printf("  %s %s %s %s: differs from the model\n", b->programs[index].name, memory_names[memory], strategy,
               b->level);
        if (b->heddle[index].n)
                same(&b->model[index], &b->heddle[index], b->programs[index].n_regs, counted(b, index, strategy),
                     stdout);
        fflush(stdout);
        if (!b->o->stop && reduced++ < MAX_REDUCED)
                reduce(b, index, strategy, memory);
}

/* One batch; a run that fails is repeated program by program. */
static void check_batch(struct binary *b, const int *list, int n, const char *strategy, enum memory memory)
{
        bool by_time;
        if (n == 0 || (b->o->stop && atomic_load(&totals->first)))
                return;
        if (!run_heddle(b, list, n, strategy, memory, &by_time)) {
                for (int i = 0; i < n; i++) {
                        if (n > 1)
                                check_batch(b, &list[i], 1, strategy, memory);
                        else if (by_time)
                                atomic_fetch_add(&totals->skipped, 1);
                        else
                                tell(b, list[i], strategy, memory);
                }
                return;
        }
        for (int i = 0; i < n; i++) {
                int k = list[i];
                if (!same(&b->model[k], &b->heddle[k], b->programs[k].n_regs, counted(b, k, strategy), NULL))
                        tell(b, k, strategy, memory);
        }
}

static void check_memory(struct binary *b, enum memory memory)
{
        for (int i = 0; i < b->n; i++) {
                behaviours_fini(&b->model[i]);
                model_run(&b->model[i], &b->programs[i], memory, MODEL_STATES);
                atomic_fetch_add(&totals->outcomes[memory], (unsigned)b->model[i].n);
        }
        for (int s = 0; s < 3; s++) {
                int list[BATCH], n = 0;
                if (b->o->strategy && strcmp(b->o->strategy, strategies[s]) != 0)
                        continue;
                for (int i = 0; i < b->n; i++) {
                        if (b->model[i].all && !b->model[i].stuck &&
                            (s > 0 || b->model[i].paths < (memory == SC ? DFS_PATHS : DFS_WEAK)) &&
                            (b->o->only < 0 || b->o->only == i))
                                list[n++] = i;
                        if (n == BATCH || i == b->n - 1) {
                                check_batch(b, list, n, strategies[s], memory);
                                n = 0;
                        }
                }
        }
}

static void check_binary(struct binary *b, int number)
{
        const struct options *o = b->o;
        int before = atomic_load(&totals->differences);
        uint64_t seed = o->seed + (unsigned)number;
        b->n = o->programs - number * PER < PER ? o->programs - number * PER : PER;
        b->level = number % 2 ? "-O2" : "-O0";
        snprintf(b->path, sizeof(b->path), "%s/s%llu", o->dir, (unsigned long long)seed);
        for (int i = 0; i < b->n; i++)
                model_choose_program(&b->programs[i], seed, i);
        if (build(b) != 0) {
                printf("FAIL memory seed=%llu: cannot be built, see %s.err\n", (unsigned long long)seed, b->path);
                atomic_fetch_add(&totals->differences, 1);
                return;
        }
        for (int k = 0; k < N_MEMORIES; k++)
                if (o->memories[k])
                        check_memory(b, (enum memory)k);
        atomic_fetch_add(&totals->programs, b->n);
        if (atomic_load(&totals->differences) > before) {
                printf("FAIL memory seed=%llu %s\n", (unsigned long long)seed, b->level);
        } else {
                static const char *const ends[] = {"", ".c", ".err"};
                char path[300];
                printf("PASS memory seed=%llu %s programs=%d\n", (unsigned long long)seed, b->level, b->n);
                for (int i = 0; i < 3; i++) {
                        snprintf(path, sizeof(path), "%s%s", b->path, ends[i]);
                        unlink(path);
                }
        }
        fflush(stdout);
}

static void worker(const struct options *o)
{
        struct binary *b = calloc(1, sizeof(*b));
        int number;
        if (!b)
                abort();
        b->o = o;
        while ((number = atomic_fetch_add(&totals->next, 1)) * PER < o->programs)
                if (!o->stop || !atomic_load(&totals->first))
                        check_binary(b, number);
}

static int parse(struct options *o, int argc, char **argv)
{
        for (int i = 1; i < argc; i++) {
                const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
                if (strcmp(name, "--stop") == 0 || strcmp(name, "--sets") == 0) {
                        *(strcmp(name, "--stop") == 0 ? &o->stop : &o->sets) = true;
                        continue;
                }
                if (++i == argc)
                        return -1;
                if (strcmp(name, "--heddle") == 0)
                        o->heddle = value;
                else if (strcmp(name, "--build-with") == 0)
                        o->build_with = value;
                else if (strcmp(name, "--strategy") == 0)
                        o->strategy = value;
                else if (strcmp(name, "--dir") == 0)
                        o->dir = value;
                else if (strcmp(name, "--seed") == 0)
                        o->seed = strtoull(value, NULL, 0);
                else if (strcmp(name, "--programs") == 0)
                        o->programs = atoi(value);
                else if (strcmp(name, "--jobs") == 0)
                        o->jobs = atoi(value);
                else if (strcmp(name, "--only") == 0)
                        o->only = atoi(value);
                else if (strcmp(name, "--memory") == 0)
                        for (int k = 0; k < N_MEMORIES; k++)
                                o->memories[k] = strstr(value, memory_names[k]);
                else
                        return -1;
        }
        return 0;
}

int main(int argc, char **argv)
{
        struct options o = {.heddle = "build/heddle",
                            .dir = "build/memory",
                            .seed = 1,
                            .programs = 2000,
                            .jobs = (int)sysconf(_SC_NPROCESSORS_ONLN),
                            .only = -1,
                            .memories = {true, true, true}};
        if (parse(&o, argc, argv) != 0) {
                fprintf(stderr, "compare: see the top of compare.c for its options\n");
                return 2;
        }
        o.build_with = o.build_with ? o.build_with : o.heddle;
        mkdir(o.dir, 0777);
        totals = mmap(NULL, sizeof(*totals), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (totals == MAP_FAILED)
                return 3;
        for (int i = 0; i < o.jobs; i++) {
                if (fork() == 0) {
                        worker(&o);
                        fflush(stdout);
                        _exit(0);
                }
        }
        int status, bad = 0;
        while (wait(&status) > 0)
                bad |= status != 0;
        for (int k = 0; k < N_MEMORIES; k++)
                if (o.memories[k])
                        printf("memory: %s: outcomes %llu, executions %llu (dpor and optimal), in vain %llu\n",
                               memory_names[k], (unsigned long long)totals->outcomes[k],
                               (unsigned long long)totals->executions[k], (unsigned long long)totals->vain[k]);
        printf("memory: programs %d, differences %d, too long %d, dfs executions %llu\n", totals->programs,
               totals->differences, totals->skipped, (unsigned long long)totals->dfs);
        if (totals->first)
                printf("memory: first difference after %d programs\n", totals->first);
        return bad || totals->differences ? 1 : 0;
}
