/*
 * heddle beside the reference model: for random programs, and sc, tso and pso in turn, the outcomes must be the same, and
 * the executions of each outcome under dpor (also as a filter) and optimal must be as many as it has Shasha-Snir traces.  mcr has the
 * same outcomes.
 *
 *     compare [--heddle F] [--build-with F] [--dir D] [--seed N] [--programs N] [--jobs N] [--memory M,...] [--strategy S]
 *             [--only I] [--stop] [--sets] [--reuse]
 *
 * Programs come in binaries of PER, compiled with -O0 and -O2 in turn; one run of heddle explores BATCH of them, chosen
 * by heddle_choose.  dfs and filters get some of those that have few executions.  What differs is reduced: operations are dropped while it
 * still differs.  --stop ends at the first difference, which is not reduced; --sets compares no counts;
 * --reuse takes binaries that are there already, and leaves them there.
 */
#include "run.h"

#include "../oracle/arguments.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define DFS_PATHS   4000   /* dfs runs only what has fewer executions */
#define DFS_WEAK    200000 /* ... in the model, where stores are steps */
#define DFS_EVERY   4 /* so many programs with dfs, too */
#define FILTERS_WEAK  20000
#define FILTERS_EVERY 10
#define DEEPEN_EVERY  10
#define MAX_REDUCED 2      /* differences reduced by one process */

static struct totals *totals;

static const struct {
        const char *name; /* of filters: with those after a comma */
        double weak;      /* only programs with fewer executions in the model, 0: all */
        int every;        /* only so many of them: one in */
} strategies[] = {
        {"dpor", 0, 1},
        {"optimal", 0, 1},
        {"mcr", 0, 1},
        {"dfs", DFS_WEAK, DFS_EVERY},
        {"filters", FILTERS_WEAK, FILTERS_EVERY},
        {"filters,super-step", FILTERS_WEAK / 10, FILTERS_EVERY},
        {"filters,seen,super-step", FILTERS_WEAK, FILTERS_EVERY},
        {"filters,local-cycle,super-step,seen,exact", FILTERS_WEAK, FILTERS_EVERY},
        {"filters,dpor", 0, FILTERS_EVERY},
        {"filters,dpor,random", 0, FILTERS_EVERY},
        {"deepen", 0, DEEPEN_EVERY},
};
#define N_STRATEGIES (int)(sizeof(strategies) / sizeof(*strategies))

static void tell(struct binary *b, int index, const char *strategy, enum memory memory)
{
        static int reduced;
        int ordinal = (int)((atol(b->programs[index].name + 1) - (long)b->o->seed)) * PER + index + 1;
        int first = atomic_load(&totals->first);
        while ((first == 0 || ordinal < first) && !atomic_compare_exchange_weak(&totals->first, &first, ordinal))
                ;
        atomic_fetch_add(&totals->differences, 1);
        b->differences++;
        printf("  %s %s %s %s: differs from the model\n", b->programs[index].name, memory_names[memory], strategy,
               b->level);
        if (b->heddle[index].n)
                binary_same(b, index, strategy, stdout);
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
        if (!binary_run(b, list, n, strategy, memory, &by_time)) {
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
                if (!binary_same(b, k, strategy, NULL))
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
        for (int s = 0; s < N_STRATEGIES; s++) {
                int list[BATCH], n = 0;
                double most = memory == SC && strategies[s].weak > DFS_PATHS ? DFS_PATHS : strategies[s].weak;
                if (b->o->strategy && strcmp(b->o->strategy, strategies[s].name) != 0)
                        continue;
                for (int i = 0; i < b->n; i++) {
                        if (b->model[i].all && !b->model[i].stuck &&
                            (most == 0 || b->model[i].paths < most) && i % strategies[s].every == 0 &&
                            (b->o->only < 0 || b->o->only == i))
                                list[n++] = i;
                        if (n == BATCH || i == b->n - 1) {
                                check_batch(b, list, n, strategies[s].name, memory);
                                n = 0;
                        }
                }
        }
}

static void check_binary(struct binary *b, int number)
{
        const struct options *o = b->o;
        uint64_t seed = o->seed + (unsigned)number;
        b->differences = 0;
        b->n = o->programs - number * PER < PER ? o->programs - number * PER : PER;
        b->level = number % 2 ? "-O2" : "-O0";
        snprintf(b->path, sizeof(b->path), "%s/s%llu", o->dir, (unsigned long long)seed);
        for (int i = 0; i < b->n; i++)
                model_choose_program(&b->programs[i], seed, i);
        if (!(o->reuse && access(b->path, X_OK) == 0) && binary_build(b) != 0) {
                printf("FAIL memory seed=%llu: cannot be built, see %s.err\n", (unsigned long long)seed, b->path);
                atomic_fetch_add(&totals->differences, 1);
                return;
        }
        for (int k = 0; k < N_MEMORIES; k++)
                if (o->memories[k])
                        check_memory(b, (enum memory)k);
        atomic_fetch_add(&totals->programs, b->n);
        if (b->differences) {
                printf("FAIL memory seed=%llu %s\n", (unsigned long long)seed, b->level);
        } else {
                static const char *const ends[] = {"", ".c", ".out", ".err"};
                char path[300];
                printf("PASS memory seed=%llu %s programs=%d\n", (unsigned long long)seed, b->level, b->n);
                for (int i = 0; !o->reuse && i < 4; i++) {
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
        b->totals = totals;
        while ((number = atomic_fetch_add(&totals->next, 1)) * PER < o->programs)
                if (!o->stop || !atomic_load(&totals->first))
                        check_binary(b, number);
}

static int parse(struct options *o, int argc, char **argv)
{
        const char *seed = "1", *memories = NULL;
        const struct argument list[] = {
                {"--heddle", .text = &o->heddle},     {"--build-with", .text = &o->build_with},
                {"--dir", .text = &o->dir},           {"--seed", .text = &seed},
                {"--programs", .number = &o->programs}, {"--jobs", .number = &o->jobs},
                {"--memory", .text = &memories},      {"--strategy", .text = &o->strategy},
                {"--only", .number = &o->only},       {"--stop", .flag = &o->stop},
                {"--sets", .flag = &o->sets},         {"--reuse", .flag = &o->reuse},
                {NULL},
        };
        if (arguments_parse(list, argc, argv) != 0)
                return -1;
        o->seed = strtoull(seed, NULL, 0);
        for (int k = 0; k < N_MEMORIES; k++)
                o->memories[k] = !memories || strstr(memories, memory_names[k]);
        o->build_with = o->build_with ? o->build_with : o->heddle;
        return 0;
}

int main(int argc, char **argv)
{
        struct options o = {.heddle = "build/heddle",
                            .dir = "build/memory",
                            .programs = 2000,
                            .jobs = (int)sysconf(_SC_NPROCESSORS_ONLN),
                            .only = -1};
        if (parse(&o, argc, argv) != 0) {
                fprintf(stderr, "compare: see the top of compare.c for its options\n");
                return 2;
        }
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
