/* Builds binaries, runs heddle on them, reads its report, and compares. */
#include "run.h"

#include "../oracle/command.h"
#include "../oracle/json.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

int binary_build(const struct binary *b)
{
        char source[300], err[300];
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
        return command_run(argv, NULL, err, 300) == 0 ? 0 : -1;
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

/* Does it run one execution of each class? */
static bool reduces(const char *strategy)
{
        return strstr(strategy, "dpor") || strcmp(strategy, "optimal") == 0;
}

/* The arguments for a strategy: filters stand behind a comma, `exact` or `random` (an order) the last of them. */
static int add_strategy(char **argv, const char *strategy, char filters[64])
{
        const char *list = strchr(strategy, ',');
        int k = 0;
        argv[k++] = "--strategy";
        argv[k++] = list ? "filters" : (char *)strategy;
        if (!list)
                return k;
        snprintf(filters, 64, "%s", list + 1);
        char *exact = strstr(filters, ",exact");
        if (exact) {
                *exact = '\0';
                argv[k++] = "--exact";
        }
        char *random = strstr(filters, ",random");
        if (random) {
                *random = '\0';
                argv[k++] = "--order=random";
        }
        argv[k++] = "--filters";
        argv[k++] = filters;
        return k;
}

bool binary_run(struct binary *b, const int *list, int n, const char *strategy, enum memory memory, bool *by_time)
{
        char out[300], err[300], numbers[BATCH][8], filters[64];
        char *argv[BATCH + 20] = {(char *)b->o->heddle,
                                  "check",
                                  "--memory",
                                  (char *)memory_names[memory],
                                  "--observe",
                                  "which,r,m",
                                  "--time",
                                  "60s",
                                  "--json",
                                  "-"};
        int k = 10;
        k += add_strategy(&argv[k], strategy, filters);
        argv[k++] = b->path;
        snprintf(out, sizeof(out), "%s.out", b->path);
        snprintf(err, sizeof(err), "%s.err", b->path);
        for (int i = 0; i < n; i++) {
                snprintf(numbers[i], sizeof(numbers[i]), "%d", list[i]);
                argv[k++] = numbers[i];
                behaviours_fini(&b->heddle[list[i]]);
        }
        int status = command_run(argv, out, err, 100);
        char *text = command_read(out);
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
                atomic_fetch_add(&b->totals->dfs, strtoull(json_text(j, "executions"), NULL, 0));
        else if (ok && reduces(strategy)) {
                atomic_fetch_add(&b->totals->executions[memory], strtoull(json_text(j, "executions"), NULL, 0));
                atomic_fetch_add(&b->totals->vain[memory], strtoull(json_text(j, "blocked"), NULL, 0));
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
        return !b->o->sets && reduces(strategy) && !has_loops(&b->programs[index]);
}

bool binary_same(const struct binary *b, int index, const char *strategy, FILE *f)
{
        return same(&b->model[index], &b->heddle[index], b->programs[index].n_regs, counted(b, index, strategy), f);
}
