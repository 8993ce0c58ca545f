/*
 * heddle beside the model: random programs with transactions, under each memory model.  The outcomes must be the same, and under
 * sc the executions of each by optimal as many as it has classes.
 *
 *     compare [--heddle F] [--dir D] [--seed N] [--programs N] [--memory M] [--strategy S] [--stm] [--only I] [--gcc]
 *             [--preempt P] [--jobs N] [--keep-going] [--time T]
 *
 * One binary has PER programs; one run of heddle explores BATCH of them, chosen by heddle_choose().
 */
#include "program.h"

#include "../../oracle/arguments.h"
#include "../../oracle/command.h"
#include "../../oracle/json.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PER   40
#define BATCH 20

struct options {
        const char *heddle, *dir, *memory, *strategy, *preempt, *time;
        int seed, programs, only, jobs;
        bool stm, gcc, keep_going;
};

static const char *const memories[N_MEMORIES] = {"sc", "tso", "pso"};
static struct program programs[PER];
static struct behaviour model[PER], found[PER];
static int differences, compared, counted, outcomes, skipped;

static int by_state(const void *a, const void *b)
{
        return memcmp(a, b, offsetof(struct outcome, traces));
}

void behaviour_add(struct behaviour *b, const struct outcome *o)
{
        for (int i = 0; i < b->n; i++)
                if (by_state(&b->outcomes[i], o) == 0) {
                        b->outcomes[i].traces += o->traces;
                        return;
                }
        if (!(b->outcomes = realloc(b->outcomes, (size_t)(b->n + 1) * sizeof(*o))))
                abort();
        b->outcomes[b->n++] = *o;
}

static void forget(struct behaviour *b)
{
        free(b->outcomes);
        *b = (struct behaviour){0};
}

static int build(const struct options *o, const char *path, const char *level, int n)
{
        char source[300], err[300];

        snprintf(source, sizeof(source), "%s.c", path);
        snprintf(err, sizeof(err), "%s.err", path);
        FILE *f = fopen(source, "w");
        if (!f)
                return -1;
        emit_head(f);
        for (int i = 0; i < n; i++)
                emit_program(f, &programs[i], i);
        emit_main(f, n);
        fclose(f);
        char *argv[] = {(char *)o->heddle, "cc", o->gcc ? "--compiler=gcc" : "--compiler=clang", (char *)level, "-g", "-mrtm", "-pthread",
                        "-w", source, "-o", (char *)path, NULL};
        return command_run(argv, NULL, err, 300);
}

static void take(const struct json *list)
{
        for (const struct json *o = list ? list->first : NULL; o; o = o->next) {
                const struct json *state = json_get(o, "state");
                int which = atoi(json_text(state, "which"));
                struct outcome new = {.traces = strtoull(json_text(o, "executions"), NULL, 0)};

                for (const struct json *m = state->first; m; m = m->next) {
                        int i;
                        if (sscanf(m->key, "r[%d]", &i) == 1)
                                new.r[i] = (uint32_t)strtoull(m->text, NULL, 0);
                        else if (sscanf(m->key, "x[%d]", &i) == 1)
                                new.x[i] = atoi(m->text);
                }
                behaviour_add(&found[which], &new);
        }
}

enum answer { ALL, FAILS, LATE };

/* Runs heddle on some programs. */
static enum answer explore(const struct options *o, const char *path, const int *list, int n, const char *strategy, const char *memory)
{
        char out[300], err[300], numbers[BATCH][8], jobs[8];
        char *argv[BATCH + 24] = {(char *)o->heddle, "check", "--memory", (char *)memory, "--observe", "which,r,x", "--time", (char *)o->time,
                                  "--strategy", (char *)strategy, "--txn", o->stm ? "stm" : "hw", "--json", "-"};
        int k = 14;

        snprintf(out, sizeof(out), "%s.out", path);
        snprintf(err, sizeof(err), "%s.err", path);
        if (o->preempt) {
                argv[k++] = "--preempt";
                argv[k++] = (char *)o->preempt;
        }
        if (o->jobs) {
                snprintf(jobs, sizeof(jobs), "%d", o->jobs);
                argv[k++] = "--jobs";
                argv[k++] = jobs;
        }
        if (o->keep_going)
                argv[k++] = "--keep-going";
        argv[k++] = (char *)path;
        for (int i = 0; i < n; i++) {
                snprintf(numbers[i], sizeof(numbers[i]), "%d", list[i]);
                argv[k++] = numbers[i];
                forget(&found[list[i]]);
        }
        int status = command_run(argv, out, err, 100);
        char *text = command_read(out);
        struct json *j = text ? json_parse(text) : NULL;
        enum answer answer = FAILS;
        if (status == 0 && j && strcmp(json_text(j, "verdict"), "safe") == 0)
                answer = ALL;
        else if (status == 4 && j && (strstr(json_text(j, "why_incomplete"), "--time") || strstr(json_text(j, "why_incomplete"), "--preempt all")))
                answer = LATE;
        if (answer == ALL)
                take(json_get(j, "outcomes"));
        json_free(j);
        free(text);
        return answer;
}

static void print(const char *what, const struct outcome *o, uint64_t want, uint64_t have)
{
        printf("    %s:", what);
        for (int i = 0; i < MAX_THREADS; i++)
                printf(" r%d=%u", i, o->r[i]);
        for (int i = 0; i < CELLS; i++)
                printf(" x%d=%d", i, o->x[i]);
        printf("  model %llu, heddle %llu\n", (unsigned long long)want, (unsigned long long)have);
}

static bool same(struct behaviour *m, struct behaviour *h, bool counts)
{
        bool equal = true;

        qsort(m->outcomes, (size_t)m->n, sizeof(*m->outcomes), by_state);
        if (h->n)
                qsort(h->outcomes, (size_t)h->n, sizeof(*h->outcomes), by_state);
        for (int i = 0, k = 0; i < m->n || k < h->n;) {
                int order = i == m->n ? 1 : k == h->n ? -1 : by_state(&m->outcomes[i], &h->outcomes[k]);

                if (order || (counts && m->outcomes[i].traces != h->outcomes[k].traces)) {
                        print(order < 0 ? "missing" : order > 0 ? "impossible" : "count", order > 0 ? &h->outcomes[k] : &m->outcomes[i],
                              order > 0 ? 0 : m->outcomes[i].traces, order < 0 ? 0 : h->outcomes[k].traces);
                        equal = false;
                }
                i += order <= 0;
                k += order >= 0;
        }
        return equal;
}

static void check(const struct options *o, const char *path, const int *list, int n, const char *strategy, enum memory memory)
{
        if (!n)
                return;
        enum answer answer = explore(o, path, list, n, strategy, memories[memory]);
        if (answer != ALL) {
                for (int i = 0; i < n && n > 1; i++)
                        check(o, path, &list[i], 1, strategy, memory);
                skipped += n == 1 && answer == LATE;
                if (n == 1 && answer == FAILS) {
                        differences++;
                        printf("  program %d of %s: heddle fails under %s, %s\n", list[0], path, memories[memory], strategy);
                }
                return;
        }
        for (int i = 0; i < n; i++) {
                compared++;
                outcomes += model[list[i]].n;
                bool counts = model[list[i]].counted && strcmp(strategy, "optimal") == 0 && !o->preempt;
                counted += counts;
                if (!same(&model[list[i]], &found[list[i]], counts)) {
                        differences++;
                        printf("  program %d of %s differs under %s, %s%s\n", list[i], path, memories[memory], strategy,
                               model[list[i]].counted ? "" : " (not counted)");
                }
        }
        fflush(stdout);
}

static void check_memory(const struct options *o, const char *path, int n, enum memory memory)
{
        const char *const all[] = {o->strategy ? o->strategy : "optimal", "dpor"};
        int list[BATCH], k = 0;

        for (int i = 0; i < n; i++) {
                forget(&model[i]);
                model_run(&model[i], &programs[i], memory, o->stm);
        }
        for (int s = 0; s < (o->strategy ? 1 : 2); s++) {
                for (int i = 0; i < n; i++) {
                        if (!model[i].all)
                                skipped++;
                        else if (o->only < 0 || o->only == i)
                                list[k++] = i;
                        if (k == BATCH || i == n - 1) {
                                check(o, path, list, k, all[s], memory);
                                k = 0;
                        }
                }
        }
}

int main(int argc, char **argv)
{
        struct options o = {.heddle = "build/heddle", .dir = "build/txn", .seed = 1, .programs = 40, .only = -1, .time = "60s"};
        const struct argument list[] = {{"--heddle", .text = &o.heddle},     {"--dir", .text = &o.dir},
                                        {"--seed", .number = &o.seed},       {"--programs", .number = &o.programs},
                                        {"--memory", .text = &o.memory},     {"--strategy", .text = &o.strategy},
                                        {"--only", .number = &o.only},       {"--stm", .flag = &o.stm},
                                        {"--gcc", .flag = &o.gcc},           {"--preempt", .text = &o.preempt},
                                        {"--jobs", .number = &o.jobs},       {"--keep-going", .flag = &o.keep_going},
                                        {"--time", .text = &o.time},         {NULL}};
        if (arguments_parse(list, argc, argv) != 0) {
                fprintf(stderr, "compare: see the top of compare.c for its options\n");
                return 2;
        }
        mkdir(o.dir, 0777);
        for (int done = 0, seed = o.seed; done < o.programs; done += PER, seed++) {
                int n = o.programs - done < PER ? o.programs - done : PER;
                char path[200];

                snprintf(path, sizeof(path), "%s/s%d", o.dir, seed);
                for (int i = 0; i < n; i++)
                        program_generate(&programs[i], (uint64_t)seed * PER + (uint64_t)i);
                if (build(&o, path, seed % 2 ? "-O0" : "-O2", n) != 0) {
                        printf("FAIL txn seed=%d: cannot be built, see %s.err\n", seed, path);
                        return 1;
                }
                for (int k = 0; k < N_MEMORIES; k++)
                        if (!o.memory || strcmp(o.memory, memories[k]) == 0)
                                check_memory(&o, path, n, (enum memory)k);
        }
        printf("%s txn%s: %d comparisons, %d of them with classes, %d outcomes, %d too large, %d differences\n",
               differences ? "FAIL" : "PASS", o.stm ? " stm" : "", compared, counted, outcomes, skipped, differences);
        return differences ? 1 : 0;
}
