/*
 * `heddle merge`.  Invariant: a result is called complete only if every shard of one exploration is there once, each is
 * complete, all made the same plan, and all knew the same about the program in the end (parallel/shard.c says why).
 *
 * An execution that several shards have run counts once: its class, and what it showed, are in their reports.
 */
#include "cli/many/merge.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/check.h"
#include "cli/command.h"
#include "cli/explore.h"
#include "cli/help.h"
#include "cli/many/shard_file.h"
#include "cli/output.h"
#include "cli/status.h"
#include "engine/identity.h"
#include "verdict/outcome.h"
#include "verdict/result_check.h"
#include "verdict/result_state.h"

struct part {
        const char *path;
        struct shard_file file;
        struct result own; /* of the shard alone */
};

struct merge {
        struct part *parts; /* by their index */
        uint32_t n;
        struct result all;
};

static int by_index(const void *a, const void *b)
{
        const struct part *x = a, *y = b;

        return x->file.shard.index < y->file.shard.index ? -1 : x->file.shard.index > y->file.shard.index;
}

/* Are they the shards of one exploration, and all of them? */
static int check_parts(struct merge *m)
{
        const struct part *one = &m->parts[0];
        uint32_t of = one->file.shard.of;

        for (uint32_t i = 1; i < m->n; i++) {
                const struct part *p = &m->parts[i];
                const char *differs = identity_differs((const struct identity *)one->file.shard.identity,
                                                       (const struct identity *)p->file.shard.identity);

                if (differs)
                        return status_usage("%s and %s are not of one exploration: %s", one->path, p->path, differs);
                if (p->file.shard.of != of)
                        return status_usage(
                                "%s is one of %u shards, but %s one of %u; name the shards of one exploration",
                                one->path, of, p->path, p->file.shard.of);
        }
        qsort(m->parts, m->n, sizeof *m->parts, by_index);
        for (uint32_t i = 1; i < m->n; i++)
                if (m->parts[i].file.shard.index == m->parts[i - 1].file.shard.index)
                        return status_usage("shard %u/%u is there twice: %s and %s; name each shard once",
                                            m->parts[i].file.shard.index, of, m->parts[i - 1].path, m->parts[i].path);
        for (uint32_t i = 0; i < of; i++)
                if (i >= m->n || m->parts[i].file.shard.index != i + 1)
                        return status_usage(
                                "shard %u/%u is missing: run heddle check --shard %u/%u, and name its report, too",
                                i + 1, of, i + 1, of);
        return 0;
}

static bool read_own(struct part *p)
{
        p->own.stats.complete = true;
        p->file.result.pos = 0;
        return !shard_file_facts(&p->file, &p->own) && !result_merge(&p->own, &p->file.result) &&
               stream_done(&p->file.result) && !shard_file_details(&p->file, &p->own);
}

static int read_parts(struct merge *m, const struct list *paths)
{
        struct error why = {""};

        m->parts = list_alloc(paths->n * sizeof *m->parts);
        for (; m->n < paths->n; m->n++) {
                struct part *p = &m->parts[m->n];

                p->path = paths->words[m->n];
                if (shard_file_read(&p->file, p->path, &why))
                        return status_usage("%s", why.text);
        }
        return 0;
}

static struct finding *find(struct result *r, const struct finding *f)
{
        for (uint32_t i = 0; i < r->n_findings; i++)
                if (r->findings[i].kind == f->kind && r->findings[i].key == f->key)
                        return &r->findings[i];
        return NULL;
}

/* The execution that shows a failure in the simplest way is kept, with its details. */
static void keep_simplest(struct result *all, struct result *own)
{
        for (uint32_t i = 0; i < own->n_findings; i++) {
                struct finding *from = &own->findings[i], *to = find(all, from), was;

                if (!to || (to->minimized.tried && to->preemptions <= from->preemptions))
                        continue;
                was = *to;
                *to = *from;
                to->count = was.count;
                *from = was;
        }
}

/* All shards have the executions of the plan: where one has nothing else they count in the first one. */
static bool add_part(struct merge *m, struct part *p)
{
        if (p->file.shard.in_plan && p->file.shard.index > 1) {
                stats_reasons(&m->all.stats, &p->own.stats.reasons);
                if (!p->own.n_findings || m->all.n_findings)
                        return true;
        }
        p->file.result.pos = 0;
        if (result_merge(&m->all, &p->file.result))
                return false;
        keep_simplest(&m->all, &p->own);
        return true;
}

struct seen {
        uint64_t hash;
        uint32_t part, shown;
};

static int by_hash(const void *a, const void *b)
{
        const struct seen *x = a, *y = b;

        return x->hash != y->hash ? (x->hash < y->hash ? -1 : 1) : x->part < y->part ? -1 : x->part > y->part;
}

/* One execution that has been counted before.  false: the report is malformed. */
static bool uncount(struct merge *m, const struct seen *s)
{
        struct part *p = &m->parts[s->part];
        const struct result_shown *w = &p->file.shard.shown[s->shown];
        uint64_t *figure = w->assumed ? &m->all.stats.cut_assume : &m->all.stats.executions;
        struct outcome *o = NULL;
        struct finding *f = NULL;

        if (w->outcome > p->own.n_outcomes || w->finding > p->own.n_findings || !*figure)
                return false;
        if (w->outcome)
                o = outcome_get(&m->all, p->own.outcomes[w->outcome - 1].values);
        if (w->finding)
                f = find(&m->all, &p->own.findings[w->finding - 1]);
        if ((w->outcome && (!o || !o->executions)) || (w->finding && !f))
                return false;
        --*figure;
        if (o)
                o->executions--;
        if (f && f->count > 1)
                f->count--;
        m->all.shard.duplicates++;
        return true;
}

static bool count_once(struct merge *m)
{
        uint64_t n = 0, k = 0;
        struct seen *all;
        bool ok = true;

        for (uint32_t i = 0; i < m->n; i++)
                n += m->parts[i].file.shard.n_classes;
        all = malloc((n + 1) * sizeof *all);
        for (uint32_t i = 0; all && i < m->n; i++)
                for (uint32_t c = 0; c < m->parts[i].file.shard.n_classes; c++)
                        all[k++] = (struct seen){m->parts[i].file.shard.classes[c].hash, i,
                                                 m->parts[i].file.shard.classes[c].shown};
        if (all)
                qsort(all, n, sizeof *all, by_hash);
        for (uint64_t i = 1; all && i < n && ok; i++)
                if (all[i].hash == all[i - 1].hash && all[i].part != all[i - 1].part)
                        ok = uncount(m, &all[i]);
        free(all);
        return all && ok;
}

static bool same_knowledge(const struct merge *m)
{
        const struct result_shard *a = &m->parts[0].file.shard;

        for (uint32_t i = 1; i < m->n; i++) {
                const struct result_shard *b = &m->parts[i].file.shard;

                if (a->n_knowledge != b->n_knowledge || memcmp(a->knowledge, b->knowledge, a->n_knowledge) != 0)
                        return false;
        }
        return true;
}

/* Of the whole. */
static void describe(struct merge *m)
{
        struct result_shard *all = &m->all.shard;

        all->of = m->n;
        all->tasks = m->parts[0].file.shard.tasks;
        for (uint32_t i = 0; i < m->n; i++) {
                const struct result_shard *s = &m->parts[i].file.shard;

                all->planned += s->planned;
                all->own += s->own;
                all->extra += s->extra;
                all->full |= s->full;
        }
}

/* Puts them together.  0, or an exit status. */
static int merge(struct merge *m)
{
        struct config config = {.leaks = m->parts[0].file.leaks, .ignored = m->parts[0].file.ignored};
        struct ptrmap known = PTRMAP_INIT;
        struct error why = {""};
        bool ok = !shard_file_facts(&m->parts[0].file, &m->all);

        if (m->all.facts.n_modules &&
            access(m->all.facts.modules[0].path, R_OK)) /* it was built for the shards alone */
                m->all.facts.n_modules = 0;
        m->all.stats.complete = true;
        m->all.names = symbols_create(NULL, 0);
        for (uint32_t i = 0; i < m->n && ok; i++) {
                struct part *p = &m->parts[i];

                ok = m->all.names && read_own(p) && add_part(m, p) && !shard_file_names(&p->file, m->all.names, &known);
                if (!ok)
                        status_usage("%s is malformed", p->path);
        }
        ptrmap_fini(&known, NULL);
        if (!ok)
                return STATUS_USAGE;
        describe(m);
        if (!count_once(m))
                return status_usage("a report of a shard is malformed");
        if (explore_settle(&m->all, &config, &why))
                return status_internal("%s", why.text);
        if (!same_knowledge(m))
                stats_incomplete(&m->all.stats, REASON_SHARDS, NULL);
        return 0;
}

/* Shards of one exploration plan the same; if not, the program did not do the same in each. */
static int check_plans(const struct merge *m)
{
        for (uint32_t i = 1; i < m->n; i++)
                if (m->parts[i].file.shard.replaced != m->parts[0].file.shard.replaced)
                        return status_usage(
                                "%s was explored by optimal, since the strategy does not model the program, and %s "
                                "was not; run all shards again with --strategy optimal",
                                m->parts[m->parts[i].file.shard.replaced ? i : 0].path,
                                m->parts[m->parts[i].file.shard.replaced ? 0 : i].path);
        for (uint32_t i = 1; i < m->n; i++)
                if (m->parts[i].file.shard.plan != m->parts[0].file.shard.plan && same_knowledge(m) &&
                    !m->parts[i].file.shard.in_plan && !m->parts[0].file.shard.in_plan)
                        return status_usage("%s and %s split the exploration differently: the program is not "
                                            "deterministic, or reads something that differs between the machines",
                                            m->parts[0].path, m->parts[i].path);
        return 0;
}

static int tell(struct merge *m, struct command *c)
{
        const struct shard_file *f = &m->parts[0].file;
        struct report_info info = command_report_info(c);
        struct outputs out;
        int status = output_open(&out, &c->options.config);

        if (status)
                return status;
        info.version = f->info[0];
        info.program = f->info[1];
        info.strategy = f->info[2];
        info.memory = f->info[3];
        info.preempt = f->info[4];
        info.replay_hint = f->info[5];
        info.keep_going = f->flags & 1;
        info.timeouts = f->flags >> 1 & 1;
        info.races = f->flags >> 2 & 1;
        result_check(&m->all);
        status = output_write(&out, c, &info, &m->all, true);
        return status ? status : check_status(&m->all);
}

static void fini(struct merge *m)
{
        for (uint32_t i = 0; i < m->n; i++) {
                shard_file_fini(&m->parts[i].file);
                result_fini(&m->parts[i].own);
        }
        result_fini(&m->all);
}

int merge_main(char **argv)
{
        struct command command;
        struct merge m = {0};
        int status = command_parse(&command, OPTIONS_REPORT, argv);

        if (status)
                return status;
        if (command.options.help)
                return help_command(stdout, "merge", false);
        if (!command.args.n)
                return status_usage("name the reports of all shards: heddle merge A.json B.json ...");
        status = read_parts(&m, &command.args);
        if (!status)
                status = check_parts(&m);
        if (!status)
                status = check_plans(&m);
        if (!status)
                status = merge(&m);
        if (!status)
                status = tell(&m, &command);
        fini(&m);
        return status;
}
