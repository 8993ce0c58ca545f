/*
 * A recording as a time line: one row for each stretch of a thread on a core, in the order of the times at which they end.  A
 * stretch ends where another thread has an entry, or the core changes.
 */
#include "cli/record/timeline.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "cli/list.h"
#include "cli/record/record.h"
#include "cli/status.h"

#define ROWS 400u /* that are shown; the last ones, which lead to the failure */

struct entry {
        uint64_t time;
        uint32_t thread, number;
        uint64_t info, branches;
};

struct row {
        uint64_t from, until;
        uint64_t branches;
        uint32_t thread, core;
        uint32_t ops[REC_KINDS];
};

struct timeline {
        VEC(struct entry) entries;
        VEC(struct row) rows;
};

static int by_time(const void *a, const void *b)
{
        const struct entry *x = a, *y = b;

        if (x->time != y->time)
                return x->time < y->time ? -1 : 1;
        if (x->thread != y->thread)
                return x->thread < y->thread ? -1 : 1;
        return x->number < y->number ? -1 : x->number > y->number;
}

/* An entry without a time is shown with the next one that has it, the last ones with the one before. */
static uint64_t timed(const struct recorded_thread *t, uint32_t k)
{
        for (uint32_t i = k; i < t->n; i++)
                if (REC_TIME(t->entries[i].info))
                        return t->entries[i].info;
        while (k && !REC_TIME(t->entries[k].info))
                k--;
        return t->entries[k].info;
}

static void collect(struct timeline *l, const struct recording *r)
{
        for (uint32_t i = 0; i < r->n_threads; i++)
                for (uint32_t k = 0; k < r->threads[i].n; k++) {
                        uint64_t info = r->threads[i].entries[k].info, when = timed(&r->threads[i], k);
                        vec_need(&l->entries, 1);
                        *vec_push(&l->entries) = (struct entry){
                                REC_TIME(when), i, k, REC_INFO(REC_KIND(info), 0, REC_CORE(when), REC_TIME(when)),
                                rec_bits(&r->threads[i].entries[k])};
                }
        if (l->entries.n)
                qsort(l->entries.at, l->entries.n, sizeof *l->entries.at, by_time);
        for (uint32_t i = 0; i < l->entries.n; i++) {
                const struct entry *e = &l->entries.at[i];
                struct row *last = l->rows.n ? &l->rows.at[l->rows.n - 1] : NULL;
                if (!last || last->thread != e->thread || last->core != REC_CORE(e->info)) {
                        vec_need(&l->rows, 1);
                        last = vec_push(&l->rows);
                        *last = (struct row){.from = e->time, .thread = e->thread, .core = REC_CORE(e->info)};
                }
                last->until = e->time;
                last->branches += e->branches;
                last->ops[REC_KIND(e->info)]++;
        }
}

static void print_row(const struct recording *r, const struct row *row)
{
        static const char *const names[REC_KINDS] = {[REC_CREATE] = "start or create",
                                                     [REC_JOIN] = "join",
                                                     [REC_LOCK] = "lock",
                                                     [REC_UNLOCK] = "unlock",
                                                     [REC_WAIT] = "wait",
                                                     [REC_SIGNAL] = "signal",
                                                     [REC_INPUT] = "input",
                                                     [REC_READ] = "read"};
        double unit = r->rate ? 1000.0 / r->rate : 1;
        const char *comma = "";

        printf("%12.1f %12.1f  %4u  T%-4u %9llu  ", (double)row->from * unit, (double)row->until * unit, row->core,
               row->thread, (unsigned long long)row->branches);
        for (uint32_t k = REC_BRANCHES + 1; k < REC_KINDS; k++)
                if (row->ops[k] && names[k]) {
                        printf("%s%s", comma, names[k]);
                        if (row->ops[k] > 1)
                                printf(" x%u", row->ops[k]);
                        comma = ", ";
                }
        putchar('\n');
}

static void print(const struct recording *r)
{
        struct timeline l = {0};
        struct list words = {0};
        uint32_t first;

        for (size_t i = 0; r->argv[i]; i++)
                list_add(&words, r->argv[i]);
        printf("Recorded: %s\nProgram:  %s (build %06x, heddle %s%s)\n", record_describe(r), list_quote(&words),
               r->fingerprint, r->heddle, r->jitter ? ", with delays" : "");
        for (uint32_t i = 0; i < r->n_threads; i++) {
                const struct recorded_thread *t = &r->threads[i];
                printf("T%u:  %llu branches%s%s\n", i, (unsigned long long)recording_bits(t),
                       t->lost ? list_format(" (%llu before them are lost)", (unsigned long long)t->lost) : "",
                       i == r->failing         ? "; failed"
                       : t->state == REC_ENDED ? "; ended"
                                               : "");
        }
        if (r->started > r->n_threads)
                printf("%u more threads were not recorded\n", r->started - r->n_threads);
        collect(&l, r);
        first = l.rows.n > ROWS ? l.rows.n - ROWS : 0;
        printf("\n%12s %12s  %4s  %-5s %9s  operations\n", r->rate ? "from (us)" : "from", "until", "core", "thread",
               "branches");
        if (first)
                printf("         ... %u earlier rows\n", first);
        for (uint32_t i = first; i < l.rows.n; i++)
                print_row(r, &l.rows.at[i]);
        vec_fini(&l.entries);
        vec_fini(&l.rows);
}

int timeline_main(const char *path)
{
        struct recording r;
        struct error why = {""};
        FILE *f = fopen(path, "re");

        if (!f)
                return status_usage("%s: %s", path, strerror(errno));
        int err = recording_read(&r, f, &why);
        fclose(f);
        if (err)
                status_usage("%s: %s", path, why.text);
        else
                print(&r);
        recording_fini(&r);
        return err ? STATUS_USAGE : STATUS_SAFE;
}
