/*
 * compare --heddle H --dir D --seed S --programs N [--options 'WORD ...'] [--first I] [--memory M] [--retries | --results] [--seconds N]: random programs with loops, built by
 * heddle cc, fifty to a binary; what heddle finds must be what the model says.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../oracle/command.h"
#include "../oracle/json.h"
#include "model.h"

#define BATCH 50

static const char *heddle = "build/heddle", *dir = "/tmp", *options = "";
static uint32_t skipped, wrong, cut, executions, open;
static int seconds = 60; /* for one program */
static bool stop;
/* Where stores are delayed there is no search over states: executions that do not end are cut. */
static const char *const models[] = {"--memory sc", "--memory tso --depth 1000", "--memory pso --depth 1000",
                                     "--memory tso", "--memory pso"};

static const char *path(const char *name)
{
        static char all[4][512];
        static int next;
        char *to = all[next++ % 4];

        snprintf(to, sizeof all[0], "%s/%s", dir, name);
        return to;
}

/* The words of a text, behind those of argv. */
static int split(char **argv, int n, char *words)
{
        for (char *w = strtok(words, " "); w; w = strtok(NULL, " "))
                argv[n++] = w;
        argv[n] = NULL;
        return n;
}

static bool batch_build(struct program *ps, uint32_t n, uint64_t seed)
{
        static const char *const how[] = {"--compiler=clang -O0", "--compiler=gcc -O0", "--compiler=clang -O2",
                                          "--compiler=gcc -O2"};
        FILE *f = fopen(path("loops.c"), "w");
        char words[1024], *argv[32] = {(char *)(uintptr_t)heddle, "cc"};
        uint32_t line = 1;

        if (!f)
                return false;
        fputs("#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n", f);
        fputs("atomic_int v0, v1, v2, v3;\n", f);
        fputs("__attribute__((noinline)) static int get(atomic_int *p) { return *p; }\n", f);
        fputs("__attribute__((noinline)) static void put(int *p, int value) { *p = value; }\n", f);
        fputs("static struct { long value, room; } own[3];\n", f);
        fputs("static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;\n", f);
        line = 10;
        for (uint32_t i = 0; i < n; i++)
                program_make(&ps[i], seed, i, f, &line);
        fputs("int main(int argc, char **argv)\n{\n        int k = atoi(argv[argc - 1]);\n        pthread_t t[3];\n",
              f);
        for (uint32_t i = 0; i < n; i++) {
                fprintf(f, "        if (k == %u) {\n", i);
                fprintf(f, "                v0 = %u, v1 = %u, v2 = %u, v3 = %u;\n", ps[i].first[0], ps[i].first[1],
                        ps[i].first[2], ps[i].first[3]);
                for (uint32_t t = 0; t < ps[i].n_threads; t++)
                        fprintf(f, "                pthread_create(&t[%u], 0, t%u_%u, 0);\n", t, i, t);
                for (uint32_t t = 0; t < ps[i].n_threads; t++)
                        fprintf(f, "                pthread_join(t[%u], 0);\n", t);
                fputs("        }\n", f);
        }
        fputs("        (void)get, (void)put;\n        return 0;\n}\n", f);
        if (fclose(f))
                return false;
        /* Where stores are delayed, gcc is refused. */
        snprintf(words, sizeof words, "%s -g -w -pthread %s -o %s", how[memory == SC ? seed % 4 : seed % 2 * 2],
                 path("loops.c"), path("loops"));
        split(argv, 2, words);
        return command_run(argv, NULL, path("errors"), 2 * seconds) == 0;
}

static bool has_outcome(const struct behaviour *b, const uint8_t *vars)
{
        for (uint32_t i = 0; i < b->n_outcomes; i++)
                if (!memcmp(b->outcomes[i], vars, VARIABLES))
                        return true;
        return false;
}

/* Outcomes of a report: NULL, or what is wrong with them. */
static const char *check_outcomes(const struct json *j, const struct behaviour *b, bool complete)
{
        const struct json *all = json_get(j, "outcomes");
        uint32_t n = 0;

        for (const struct json *o = all ? all->first : NULL; o; o = o->next, n++) {
                uint8_t vars[VARIABLES];
                char name[4] = "v0";

                for (uint32_t v = 0; v < VARIABLES; v++) {
                        name[1] = (char)('0' + v);
                        vars[v] = (uint8_t)atoi(json_text(json_get(o, "state"), name));
                }
                if (!has_outcome(b, vars))
                        return "an impossible outcome";
        }
        return complete && n != b->n_outcomes ? "outcomes are missing" : NULL;
}

static const char *check_failures(const struct json *j, const struct program *p, const struct behaviour *b,
                                  bool complete)
{
        const struct json *all = json_get(j, "failures");
        bool livelock = false;
        uint32_t failed = 0;

        for (const struct json *f = all ? all->first : NULL; f; f = f->next) {
                uint32_t line = (uint32_t)atoi(json_text(json_get(f, "where"), "line")), k = 0;

                if (!strcmp(json_text(f, "kind"), "livelock")) {
                        livelock = true;
                        continue;
                }
                while (k < p->n_asserts && p->lines[k] != line)
                        k++;
                if (k == p->n_asserts || strcmp(json_text(f, "kind"), "assertion") || !(b->failed >> k & 1))
                        return "an impossible failure";
                failed |= 1u << k;
        }
        if (complete && failed != b->failed)
                return "failures are missing";
        if (livelock && !b->livelock && !(p->toggles && b->endless))
                return "there is no livelock";
        return complete && b->livelock && !livelock ? "the livelock is missing" : NULL;
}

static void check(const struct program *p, uint64_t seed, uint32_t index)
{
        static struct behaviour b;
        char words[1024], number[16], *argv[48] = {(char *)(uintptr_t)heddle, "check"};
        bool few = memory != SC && p->toggles; /* without a search over states not all of these end */
        const char *why = NULL;
        struct json *j;
        char *report;
        int n, status;

        behaviour_find(p, &b);
        if (b.too_large) {
                skipped++;
                return;
        }
        snprintf(words, sizeof words,
                 "--strategy optimal --keep-going --minimize never --races off --leaks off --quiet --executions %s "
                 "--observe v0,v1,v2,v3 %s --json %s %s %s",
                 few ? "2000 --depth 200 --time 10s" : "30000", few ? models[memory + 2] : models[memory], path("report.json"),
                 options, path("loops"));
        n = split(argv, 2, words);
        snprintf(number, sizeof number, "%u", index);
        argv[n] = number;
        status = command_run(argv, NULL, path("errors"), seconds);
        report = command_read(path("report.json"));
        j = report ? json_parse(report) : NULL;
        if (!j || (status != 0 && status != 1 && status != 4)) {
                why = "heddle failed";
        } else {
                bool complete = !strcmp(json_text(j, "complete"), "true");
                why = check_outcomes(j, &b, complete);
                why = why ? why : check_failures(j, p, &b, complete);
                why = why || complete || p->toggles || b.endless ? why : "it is not complete";
                open += !complete;
                executions += (uint32_t)atoi(json_text(j, "executions"));
                cut += (uint32_t)atoi(json_text(json_get(j, "cut"), "spin"));
        }
        if (why) {
                printf("FAIL loops: program %u of seed %lu: %s (%s %s)\n", index, (unsigned long)seed, why,
                       models[memory], options);
                wrong++;
        }
        if (j)
                json_free(j);
        free(report);
        remove(path("report.json"));
}

int main(int argc, char **argv)
{
        static struct program ps[BATCH];
        uint32_t programs = 100, first = 0;
        uint64_t seed = 1;

        for (int i = 1; i < argc; i++) {
                const char *value = i + 1 < argc ? argv[i + 1] : "";

                if (!strcmp(argv[i], "--stop"))
                        stop = true;
                else if (!strcmp(argv[i], "--retries"))
                        retries = true;
                else if (!strcmp(argv[i], "--results"))
                        results = true;
                else if (!strcmp(argv[i], "--heddle"))
                        heddle = argv[++i];
                else if (!strcmp(argv[i], "--dir"))
                        dir = argv[++i];
                else if (!strcmp(argv[i], "--options"))
                        options = argv[++i];
                else if (!strcmp(argv[i], "--memory"))
                        memory = !strcmp(value, "tso") ? TSO : !strcmp(value, "pso") ? PSO : SC, i++;
                else if (!strcmp(argv[i], "--seed"))
                        seed = strtoul(value, NULL, 10), i++;
                else if (!strcmp(argv[i], "--programs"))
                        programs = (uint32_t)atoi(value), i++;
                else if (!strcmp(argv[i], "--seconds"))
                        seconds = atoi(value), i++;
                else if (!strcmp(argv[i], "--first"))
                        first = (uint32_t)atoi(value), i++;
        }
        setvbuf(stdout, NULL, _IOLBF, 0);
        mkdir(dir, 0777);
        for (uint32_t done = 0; done < programs && !(stop && wrong); done += BATCH, seed++) {
                if (!batch_build(ps, BATCH, seed)) {
                        printf("FAIL loops: the programs of seed %lu cannot be built\n", (unsigned long)seed);
                        return 1;
                }
                for (uint32_t i = first; i < BATCH && done + i < programs + first && !(stop && wrong); i++)
                        check(&ps[i], seed, i);
        }
        printf("loops: %u programs, %u wrong, %u too large for the model, %u not complete, %u executions, %u cut\n", programs,
               wrong, skipped, open, executions, cut);
        return wrong != 0;
}
