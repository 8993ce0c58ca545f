/*
 * Runs heddle and reads its report.  Two verdicts are equal when they agree on the verdict itself, on the set of
 * outcomes, on the set of distinct failures and on the number of Mazurkiewicz traces.  A reduction runs each of these once.
 */
#include "verdict.h"
#include "command.h"
#include "json.h"
#include "settings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int by_text(const void *a, const void *b)
{
        return strcmp(*(char *const *)a, *(char *const *)b);
}

static void set_add(struct set *s, char *item)
{
        char **items = realloc(s->items, (size_t)(s->n + 1) * sizeof(*items));
        if (!items || !item)
                abort();
        s->items = items;
        s->items[s->n++] = item;
}

/* Sorts, and drops what is there twice. */
static void set_close(struct set *s)
{
        int n = 0;
        if (s->n)
                qsort(s->items, (size_t)s->n, sizeof(*s->items), by_text);
        for (int i = 0; i < s->n; i++) {
                if (n && strcmp(s->items[n - 1], s->items[i]) == 0)
                        free(s->items[i]);
                else
                        s->items[n++] = s->items[i];
        }
        s->n = n;
}

static void set_fini(struct set *s)
{
        for (int i = 0; i < s->n; i++)
                free(s->items[i]);
        free(s->items);
}

/* "r[1]=17 x[0]=1"; cells that are 0 are omitted. */
static char *state_text(const struct json *state)
{
        char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);
        if (!f)
                abort();
        for (const struct json *m = state ? state->first : NULL; m; m = m->next) {
                if (m->type != 'v') {
                        int i = 0;
                        for (const struct json *e = m->first; e; e = e->next, i++)
                                if (e->text && strcmp(e->text, "0") != 0)
                                        fprintf(f, "%s[%d]=%s ", m->key, i, e->text);
                } else if (strcmp(m->text, "0") != 0) {
                        fprintf(f, "%s=%s ", m->key, m->text);
                }
        }
        fclose(f);
        return text;
}

/* The threads that wait in a deadlock, or NULL when some of them wait for each other. */
static char *stuck_text(const struct json *threads)
{
        int holder[64], n = 0;
        char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);
        if (!f)
                abort();
        for (const struct json *t = threads ? threads->first : NULL; t && n < 64; t = t->next, n++) {
                const char *held_by = json_text(json_get(t, "waits_for"), "held_by");
                bool waits = strcmp(json_text(t, "state"), "blocked") == 0;
                holder[n] = waits && *held_by >= '0' && *held_by <= '9' ? atoi(held_by) : -1;
                if (waits)
                        fprintf(f, "T%s ", json_text(t, "id"));
        }
        fclose(f);
        for (int t = 0; t < n; t++) {
                int at = t;
                for (int k = 0; at >= 0 && at < n && k < n; k++)
                        at = holder[at];
                if (at >= 0) {
                        free(text);
                        return NULL;
                }
        }
        return text;
}

static void add_counted(struct set *items, struct set *counts, char *item, const char *count)
{
        char *text;
        if (asprintf(&text, "%s: %s times", item, count) < 0)
                abort();
        set_add(items, item);
        set_add(counts, text);
}

/* "benign write at line 3, read at line 7": the same whichever came first. */
static char *race_text(const struct json *race, const char *verdict)
{
        const struct json *list = json_get(race, "accesses"), *a = list ? list->first : NULL, *b = a ? a->next : NULL;
        char *one, *two, *text;
        if (asprintf(&one, "%s at line %s", json_text(a, "kind"), json_text(json_get(a, "where"), "line")) < 0 ||
            asprintf(&two, "%s at line %s", json_text(b, "kind"), json_text(json_get(b, "where"), "line")) < 0)
                abort();
        bool swap = strcmp(one, two) > 0;
        if (asprintf(&text, "%s %s, %s", verdict, swap ? two : one, swap ? one : two) < 0)
                abort();
        free(one);
        free(two);
        return text;
}

/*
 * The failure without who freed and who allocated its block, or took its lock before: executions of one failure differ in that, and which of
 * them is reported first is for the search to say.
 */
static char *failure_text(const struct json *f)
{
        char *text, *who;
        if (asprintf(&text, "%s at line %s: %s", json_text(f, "kind"), json_text(json_get(f, "where"), "line"),
                     json_text(f, "message")) < 0)
                abort();
        if ((who = strstr(text, ", freed by")) || (who = strstr(text, ", allocated by")) ||
            (who = strstr(text, "; before: ")))
                *who = '\0';
        return text;
}

static void read_report(struct verdict *v, const struct json *j)
{
        const struct json *cut = json_get(j, "cut"), *list;
        snprintf(v->verdict, sizeof(v->verdict), "%s", json_text(j, "verdict"));
        snprintf(v->why_incomplete, sizeof(v->why_incomplete), "%s", json_text(j, "why_incomplete"));
        v->complete = strcmp(json_text(j, "complete"), "true") == 0;
        v->executions = strtoull(json_text(j, "executions"), NULL, 10);
        v->blocked = strtoull(json_text(j, "blocked"), NULL, 10);
        v->classes = strtoull(json_text(j, "classes"), NULL, 10);
        v->values = strtoull(json_text(j, "value_classes"), NULL, 10);
        v->assume = strtoull(json_text(cut, "assume"), NULL, 10);
        v->rounds = strtoull(json_text(cut, "spin"), NULL, 10);
        if ((list = json_get(j, "outcomes")))
                for (const struct json *o = list->first; o; o = o->next)
                        add_counted(&v->outcomes, &v->counts, state_text(json_get(o, "state")),
                                    json_text(o, "executions"));
        if ((list = json_get(j, "failures")))
                for (const struct json *f = list->first; f; f = f->next) {
                        char *text = failure_text(f);
                        v->failure = true;
                        v->deadlock |= strcmp(json_text(f, "kind"), "deadlock") == 0;
                        add_counted(&v->failures, &v->counts, text, json_text(f, "count"));
                        if (strcmp(json_text(f, "kind"), "deadlock") == 0 &&
                            (text = stuck_text(json_get(f, "threads"))))
                                set_add(&v->stuck, text);
                        set_add(&v->kinds, strdup(json_text(f, "kind")));
                }
        if ((list = json_get(j, "races")))
                for (const struct json *r = list->first; r; r = r->next) {
                        set_add(&v->races, race_text(r, json_text(r, "verdict")));
                        set_add(&v->pairs, race_text(r, "race"));
                }
        set_close(&v->races);
        set_close(&v->pairs);
        set_close(&v->outcomes);
        set_close(&v->failures);
        set_close(&v->counts);
        set_close(&v->kinds);
        set_close(&v->stuck);
}

/* The arguments of a run. */
struct line {
        char *words[64];
        int n;
};

static void put(struct line *l, const char *word, const char *value)
{
        l->words[l->n++] = (char *)word;
        if (value)
                l->words[l->n++] = (char *)value;
        l->words[l->n] = NULL;
}

static void put_mode(struct line *l, int index, const struct mode *mode)
{
        for (int i = 0; settings_of(index)->options[i]; i++)
                put(l, settings_of(index)->options[i], NULL);
        for (int i = 0; i < 4 && mode->more[i]; i++)
                put(l, mode->more[i], NULL);
        put(l, "--strategy", mode->strategy);
        put(l, "--preempt", mode->preempt);
        put(l, "--isolate", mode->isolate);
        if (mode->bound)
                put(l, "--bound", mode->bound);
        if (mode->how == ALONE)
                put(l, "--count-classes", NULL);
        if (mode->how == SHARED || mode->how == STORED_SHARED) {
                put(l, "--jobs", "2");
                put(l, "--alone", "0.001ms");
        }
}

void verdict_get(struct verdict *v, const char *heddle, const char *program, int index, const struct mode *mode,
                 int seconds, uint64_t half)
{
        char number[16], time[16], some[32], out[300], err[300], save[300];
        bool stored = (mode->how == STORED || mode->how == STORED_SHARED) && half;
        struct line l = {0};
        int status = 0;
        memset(v, 0, sizeof(*v));
        snprintf(number, sizeof(number), "%d", index);
        snprintf(time, sizeof(time), "%ds", seconds);
        snprintf(some, sizeof(some), "%llu", (unsigned long long)half);
        snprintf(out, sizeof(out), "%s.out", program);
        snprintf(err, sizeof(err), "%s.err", program);
        snprintf(save, sizeof(save), "%s.save", program);
        unlink(save);
        for (int part = stored ? 0 : 1; part < 2; part++) {
                l.n = 0;
                put(&l, heddle, "check");
                put_mode(&l, index, mode);
                if (stored && part == 0)
                        put(&l, "--executions", some);
                else if (mode->how != DRAWN)
                        put(&l, "--executions", MOST_EXECUTIONS);
                if (stored)
                        put(&l, part ? "--resume" : "--save", save);
                put(&l, "--time", time);
                put(&l, "--observe", "r,x");
                put(&l, "--keep-going", "--quiet");
                put(&l, "--progress", "never");
                put(&l, "--json", "-");
                put(&l, program, number);
                status = command_run(l.words, out, err, seconds + 300); /* a busy machine */
        }
        unlink(save);
        char *text = command_read(out);
        struct json *j = text ? json_parse(text) : NULL;
        if (j && (status == 0 || status == 1 || status == 4)) {
                v->ok = true;
                read_report(v, j);
        } else {
                char *errors = command_read(err);
                snprintf(v->why, sizeof(v->why), "exit status %d: %s%s", status, errors ? errors : "",
                         text && !j ? " (no JSON)" : "");
                free(errors);
        }
        json_free(j);
        free(text);
}

void verdict_fini(struct verdict *v)
{
        set_fini(&v->outcomes);
        set_fini(&v->failures);
        set_fini(&v->counts);
        set_fini(&v->races);
        set_fini(&v->pairs);
        set_fini(&v->kinds);
        set_fini(&v->stuck);
        memset(v, 0, sizeof(*v));
}

struct text {
        char *at, *end;
};

__attribute__((format(printf, 2, 3))) static void say(struct text *t, const char *format, ...)
{
        va_list args;
        va_start(args, format);
        int n = vsnprintf(t->at, (size_t)(t->end - t->at), format, args);
        va_end(args);
        t->at = n > t->end - t->at - 1 ? t->end - 1 : t->at + n;
}

/* The items of a that b does not have. */
static bool say_missing(struct text *t, const struct set *a, const struct set *b, const char *what, const char *in)
{
        bool any = false;
        for (int i = 0; i < a->n; i++)
                if (!b->n || !bsearch(&a->items[i], b->items, (size_t)b->n, sizeof(*b->items), by_text)) {
                        say(t, "    %s only in %s: %s\n", what, in, a->items[i]);
                        any = true;
                }
        return any;
}

/* The same search done otherwise: everything as often. */
static bool say_counts(struct text *t, const struct verdict *a, const struct verdict *b)
{
        bool differ = say_missing(t, &a->counts, &b->counts, "count", "one explorer");
        differ |= say_missing(t, &b->counts, &a->counts, "count", "the other way");
        if (a->executions != b->executions || a->assume != b->assume) {
                say(t, "    executions: %llu + %llu, not %llu + %llu\n", (unsigned long long)b->executions,
                    (unsigned long long)b->assume, (unsigned long long)a->executions, (unsigned long long)a->assume);
                differ = true;
        }
        return differ;
}

/* Is it one search, or several beside each other, of which another one may end first each time? */
static bool is_mixed(const struct mode *m)
{
        return strcmp(m->strategy, "deepen") == 0 || strcmp(m->strategy, "auto") == 0;
}

/* Does it run classes several times? */
static bool repeats(const struct mode *m)
{
        bool dpor = false;
        for (int i = 0; i < 4 && m->more[i]; i++)
                dpor |= strncmp(m->more[i], "--filters=", 10) == 0 && strstr(m->more[i], "dpor");
        return strcmp(m->strategy, "icb") == 0 || strcmp(m->strategy, "mcr") == 0 || strcmp(m->strategy, "auto") == 0 ||
               (strcmp(m->strategy, "filters") == 0 && !dpor) || (strcmp(m->strategy, "deepen") == 0 && !m->more[0]);
}

bool verdict_equal(const struct verdict *a, const struct verdict *b, const struct mode *ma, const struct mode *mb,
                   bool classes, char *text, int size)
{
        struct text t = {text, text + size};
        const char *na = strcmp(ma->strategy, mb->strategy) ? ma->strategy : ma->isolate;
        const char *nb = strcmp(ma->strategy, mb->strategy) ? mb->strategy : mb->isolate;
        bool differ = false, values = strcmp(mb->strategy, "mcr") == 0 || strcmp(mb->strategy, "auto") == 0;

        text[0] = '\0';
        if (!a->ok || !b->ok) {
                say(&t, "    %s: %s\n", a->ok ? nb : na, a->ok ? b->why : a->why);
                return false;
        }
        if (mb->how == DRAWN) {
                differ = say_missing(&t, &b->failures, &a->failures, "failure", nb);
                return !(say_missing(&t, &b->outcomes, &a->outcomes, "outcome", nb) || differ);
        }
        if (a->complete && !a->failure && a->rounds != b->rounds && strstr(b->why_incomplete, "--depth"))
                return true; /* icb waits where dfs cuts a round of a loop, so its executions are longer */
        bool proves = mb->bound && b->complete; /* a reduction may find that nothing lies beyond the bound */
        if (strcmp(a->verdict, b->verdict) && !(proves && !a->failure)) {
                say(&t, "    verdict: %s %s, %s %s\n", na, a->verdict, nb, b->verdict);
                differ = true;
        }
        if (a->complete != b->complete && !proves) {
                say(&t, "    complete: %s %d %s, %s %d %s\n", na, a->complete, a->why_incomplete, nb, b->complete,
                    b->why_incomplete);
                differ = true;
        }
        differ |= say_missing(&t, &a->failures, &b->failures, "failure", na);
        differ |= say_missing(&t, &b->failures, &a->failures, "failure", nb);
        differ |= say_missing(&t, &a->outcomes, &b->outcomes, "outcome", na);
        differ |= say_missing(&t, &b->outcomes, &a->outcomes, "outcome", nb);
        if ((a->rounds != 0) != (b->rounds != 0)) /* one has rounds that the other has not: other classes */
                return !differ;
        if (values && mb->how != ALONE && !a->values != !b->values) /* optimal took over in one of them */
                return !differ;
        bool repeated = !classes && strcmp(mb->strategy, "filters") == 0; /* it may run a class twice */
        if (mb->how != ALONE && !is_mixed(mb) && !(repeated && strcmp(ma->strategy, mb->strategy)))
                return !(say_counts(&t, a, b) || differ);
        if (a->complete && b->complete && strcmp(ma->preempt, mb->preempt) == 0 && mb->how == ALONE && !values) {
                differ |= say_missing(&t, &a->races, &b->races, "race", na);
                differ |= say_missing(&t, &b->races, &a->races, "race", nb);
        }
        if (a->complete && b->complete && a->values && b->values && !a->rounds && !b->rounds &&
            a->values != b->values) {
                say(&t, "    combinations of values: %llu, %s %llu\n", (unsigned long long)a->values, nb,
                    (unsigned long long)b->values);
                differ = true;
        }
        if (a->complete && b->complete &&
            values) { /* which failing executions have a race depends on those that are run */
                differ |= say_missing(&t, &a->pairs, &b->pairs, "race", na);
                differ |= say_missing(&t, &b->pairs, &a->pairs, "race", nb);
        }
        if (mb->bound || repeats(mb) || repeated)
                return !differ;
        if (b->executions + b->assume != b->classes) {
                say(&t, "    %s runs %llu executions of %llu classes\n", nb,
                    (unsigned long long)(b->executions + b->assume), (unsigned long long)b->classes);
                differ = true;
        }
        if (classes && a->classes != b->classes) {
                say(&t, "    classes: %s %llu, %s %llu\n", na, (unsigned long long)a->classes, nb,
                    (unsigned long long)b->classes);
                differ = true;
        }
        return !differ;
}

void verdict_of_model(struct verdict *v, const char *path, int index, bool *blocks)
{
        FILE *f = fopen(path, "r");
        char *line = NULL;
        size_t size = 0;
        memset(v, 0, sizeof(*v));
        while (f && getline(&line, &size, f) > 0) {
                char word[16];
                int number, rest = 0;
                line[strcspn(line, "\n")] = '\0';
                if (sscanf(line, "%15s %d%n", word, &number, &rest) != 2 || number != index)
                        continue;
                rest += line[rest] == ' ';
                if (strcmp(word, "known") == 0)
                        v->ok = true;
                else if (strcmp(word, "blocks") == 0 && blocks)
                        *blocks = true;
                else if (strcmp(word, "seen") == 0)
                        set_add(&v->outcomes, strdup(line + rest));
                else if (strcmp(word, "stuck") == 0)
                        set_add(&v->stuck, strdup(line + rest));
                else if (strcmp(word, "fails") == 0)
                        set_add(&v->kinds, strdup(line + rest));
        }
        free(line);
        if (f)
                fclose(f);
        set_close(&v->outcomes);
        set_close(&v->kinds);
        set_close(&v->stuck);
}

bool verdict_matches(const struct verdict *model, const struct verdict *v, char *text, int size)
{
        struct text t = {text, text + size};
        bool differ = false;

        text[0] = '\0';
        if (!model->ok || !v->ok || !v->complete)
                return true;
        differ |= say_missing(&t, &model->kinds, &v->kinds, "failure", "the model");
        differ |= say_missing(&t, &v->kinds, &model->kinds, "failure", "dfs");
        differ |= say_missing(&t, &model->stuck, &v->stuck, "deadlock", "the model");
        differ |= say_missing(&t, &v->stuck, &model->stuck, "deadlock", "dfs");
        differ |= say_missing(&t, &model->outcomes, &v->outcomes, "outcome", "the model");
        differ |= say_missing(&t, &v->outcomes, &model->outcomes, "outcome", "dfs");
        return !differ;
}
