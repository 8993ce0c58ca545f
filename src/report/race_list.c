/*
 * Races as a person wants to see them: those of the same two lines and the same object are one, whatever the machine code
 * makes of them, and the worst verdict comes first.
 */
#include "report/race_list.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "op/op.h"
#include "report/wording.h"

#define SHOWN 8 /* unless --verbose */

static uint32_t rank(enum race_verdict v)
{
        static const uint32_t ranks[] = {
                [RACE_FAILING] = 0, [RACE_UNTESTED] = 1, [RACE_BENIGN] = 2, [RACE_IMPOSSIBLE] = 3};

        return ranks[v];
}

static bool same_place(const struct racelist_entry *a, uint32_t i, const struct racelist_entry *b, uint32_t k)
{
        return a->line[i] == b->line[k] && a->line[i] && (a->file[i] == b->file[k] || !strcmp(a->file[i], b->file[k]));
}

static bool same(const struct racelist_entry *a, const struct racelist_entry *b)
{
        return strcmp(a->name, b->name) == 0 && ((same_place(a, 0, b, 0) && same_place(a, 1, b, 1)) ||
                                                 (same_place(a, 0, b, 1) && same_place(a, 1, b, 0)));
}

static int by_rank(const void *a, const void *b)
{
        const struct racelist_entry *x = a, *y = b;

        if (x->verdict != y->verdict)
                return rank(x->verdict) < rank(y->verdict) ? -1 : 1;
        return x->race < y->race ? -1 : x->race > y->race;
}

static struct racelist_entry entry_of(struct symbols *s, const struct result *r, const struct race *race)
{
        struct racelist_entry e = {.race = race, .verdict = race_verdict(race, r->stats.complete)};

        phrase_focus_race(s, race);
        finding_object(e.name, sizeof e.name, s, OP_READ, race->access[race->first == RACE_BACKWARD].obj);
        for (int i = 0; i < 2; i++) {
                struct symbols_frame at = phrase_where(s, race->access[i].stack, race->access[i].n_stack);
                e.line[i] = at.file ? at.line : 0;
                e.file[i] = at.file ? at.file : "";
        }
        return e;
}

uint32_t racelist_gather(struct symbols *s, const struct result *r, struct racelist_entry *all)
{
        uint32_t n = 0;

        for (uint32_t i = 0; i < r->n_races; i++) {
                struct racelist_entry e = entry_of(s, r, &r->races[i]);
                uint32_t k = 0;

                while (k < n && !same(&all[k], &e))
                        k++;
                if (k == n)
                        all[n++] = e;
                else if (rank(e.verdict) < rank(all[k].verdict))
                        all[k] = e;
        }
        qsort(all, n, sizeof *all, by_rank);
        return n;
}

uint32_t racelist_count(struct symbols *s, const struct result *r)
{
        struct racelist_entry *all = r->n_races ? malloc(r->n_races * sizeof *all) : NULL;
        uint32_t n = all ? racelist_gather(s, r, all) : 0, count = 0;

        for (uint32_t i = 0; i < n; i++)
                count += !all[i].race->candidate && all[i].verdict != RACE_IMPOSSIBLE;
        free(all);
        return count;
}

const char *racelist_name(const struct race *r, enum race_verdict v)
{
        static const char *const names[][2] = {
                [RACE_FAILING] = {"harmful race", "harmful race candidate"},
                [RACE_BENIGN] = {"race with no observed effect", "race candidate with no observed effect"},
                [RACE_IMPOSSIBLE] = {"race in one order only", "race candidate in one order only"},
                [RACE_UNTESTED] = {"untested race", "untested race candidate"},
        };
        return names[v][r->candidate];
}

const char *racelist_meaning(const struct race *r, enum race_verdict v)
{
        switch (v) {
        case RACE_FAILING: return "an execution with it fails";
        case RACE_BENIGN: return "no execution with it fails, in any order; it is undefined behaviour";
        case RACE_IMPOSSIBLE: return "the accesses never come in the other order";
        default:
                return r->points ? "not everything was explored"
                                 : "these accesses are not preemption points: use --preempt all";
        }
}

const char *racelist_expression(struct symbols *s, const struct race_access *a)
{
        bool reads = a->kind == RACE_READ;

        return reads || a->kind == RACE_WRITE ? symbols_expression(s, a->site, !reads) : NULL;
}

/* What it is in the source, unless that is its name. */
static void put_expression(const struct style *style, struct symbols *s, const struct race_access *a)
{
        const char *text = racelist_expression(s, a);
        char name[160];

        if (!text || strcmp(text, finding_object(name, sizeof name, s, OP_READ, a->obj)) == 0)
                return;
        fputs(!a->has_value ? " " : a->kind == RACE_READ ? " from " : " to ", style->f);
        style_put(style, STYLE_PLAIN, text, (uint32_t)strlen(text), 0);
}

static void put_access(const struct style *style, struct symbols *s, const struct race_access *a, bool verbose)
{
        FILE *out = style->f;
        char text[160];
        uint32_t told = 0;

        fprintf(out, "    T%u %s%s", a->actor, race_kind_name(a->kind), race_is_end(a->kind) ? "s it" : "s");
        if (a->has_value)
                fprintf(out, " %s", phrase_text(text, sizeof(text), s, a->value, a->size));
        put_expression(style, s, a);
        fputs(a->n_locks ? ", holding " : ", holding no lock", out);
        for (uint32_t i = 0; i < a->n_locks; i++) {
                fputs(i ? ", " : "", out);
                const char *name = finding_name(text, sizeof(text), s, a->locks[i].kind, a->locks[i].obj);
                style_put(style, STYLE_PLAIN, name, (uint32_t)strlen(name), 0);
        }
        for (uint32_t i = 0; i < a->n_stack; i++) {
                const struct symbols_frame *frames;
                uint32_t k = symbols_frames(s, a->stack[i], &frames);
                for (uint32_t j = 0; j < k && (verbose || told < 3); j++) {
                        if (!frames[j].line || frames[j].runtime)
                                continue;
                        fputs(told++ ? ", called by " : ", in ", out);
                        char name[256];
                        phrase_function(name, sizeof name, frames[j].function);
                        style_put(style, STYLE_PLAIN, name, (uint32_t)strlen(name), 0);
                        const char *base = strrchr(frames[j].file, '/');
                        fputc(' ', out);
                        base = base ? base + 1 : frames[j].file;
                        style_put(style, STYLE_PLAIN, base, (uint32_t)strlen(base), 0);
                        fprintf(out, ":%u", frames[j].line);
                }
        }
        fputc('\n', out);
}

static void put_block(const struct style *style, struct symbols *s, const struct race_access *a)
{
        const char *block = symbols_block(s, a->obj);

        if (!block)
                return;
        fputs("    in ", style->f);
        style_put(style, STYLE_PLAIN, block, (uint32_t)strlen(block), 0);
        fputc('\n', style->f);
}

static void put_entry(const struct style *style, struct symbols *s, const struct racelist_entry *e, bool verbose)
{
        const struct race *r = e->race;
        const char *name = racelist_name(r, e->verdict);
        FILE *out = style->f;

        phrase_focus_race(s, r);
        fputs("  ", out);
        style_put(style, e->verdict == RACE_FAILING ? STYLE_RED : STYLE_YELLOW, name, (uint32_t)strlen(name), 0);
        fputs(" on ", out);
        style_put(style, STYLE_BOLD, e->name, (uint32_t)strlen(e->name), 0);
        fprintf(out, ": %s\n", racelist_meaning(r, e->verdict));
        put_block(style, s, &r->access[0]);
        put_access(style, s, &r->access[r->first == RACE_BACKWARD], verbose);
        put_access(style, s, &r->access[r->first != RACE_BACKWARD], verbose);
        fprintf(out, "    seen %s, in %" PRIu64 " execution%s",
                r->orders == 3 ? "in both orders" : "in this order only", r->count, r->count == 1 ? "" : "s");
        fprintf(out, ", first in execution %" PRIu64 "\n", r->execution);
}

void racelist_put(const struct style *style, struct symbols *s, const struct result *r, bool verbose)
{
        struct racelist_entry *all = r->n_races ? malloc(r->n_races * sizeof *all) : NULL;
        uint32_t n, max, races = racelist_count(s, r);

        if (!all)
                return;
        n = racelist_gather(s, r, all);
        max = verbose || n <= SHOWN ? n : SHOWN;
        fprintf(style->f, "\nData races (accesses to the same memory that no synchronisation orders): %u", races);
        if (n > races)
                fprintf(style->f, ", and %u more in one order only or candidates", n - races);
        fputc('\n', style->f);
        for (uint32_t i = 0; i < max; i++)
                put_entry(style, s, &all[i], verbose);
        if (max < n)
                fprintf(style->f, "  and %u more: --verbose lists all\n", n - max);
        free(all);
}

char *racelist_sentence(struct symbols *s, const struct racelist_entry *e)
{
        const struct race *r = e->race;
        const struct race_access *a = &r->access[r->first == RACE_BACKWARD], *b = &r->access[r->first != RACE_BACKWARD];
        struct strbuf out = STRBUF_INIT;
        char name[160];

        phrase_focus_race(s, r);
        finding_object(name, sizeof(name), s, OP_READ, a->obj);
        strbuf_printf(&out, "%s on %s: %s by T%u and %s by T%u, which nothing orders; %s", racelist_name(r, e->verdict),
                      name, race_kind_name(a->kind), a->actor, race_kind_name(b->kind), b->actor,
                      racelist_meaning(r, e->verdict));
        return strbuf_take(&out);
}
