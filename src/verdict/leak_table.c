/*
 * The table of leaks.
 *
 * With --leaks some a leak is a failure when another execution ends with nothing lost at the same place; where all lose
 * something and only the amount differs, it is a note.  Which one comes first does not matter: the first execution that loses
 * something is kept until one that loses nothing is met.  What only the
 * stack of a waiting thread may point to is not lost, and does not show that an execution loses less either.
 */
#include "verdict/leak_table.h"

#include <stdio.h>
#include <stdlib.h>

#include "op/op.h"

static struct leak *find(const struct result *r, uint64_t key)
{
        for (uint32_t i = 0; i < r->n_leaks; i++)
                if (r->leaks[i].key == key)
                        return &r->leaks[i];
        return NULL;
}

/* What is in the table and not in the trace was not lost. */
static void lower(struct result *r, const struct trace *t)
{
        for (uint32_t i = 0; i < r->n_leaks; i++) {
                uint64_t now = 0;
                for (uint32_t k = 0; k < t->n_leaks; k++)
                        if (leak_key(&t->leaks[k].block) == r->leaks[i].key)
                                now += t->leaks[k].bytes + t->leaks[k].doubtful;
                if (now < r->leaks[i].least)
                        r->leaks[i].least = now;
        }
}

int leaks_note(struct result *r, const struct trace *t)
{
        if (!t->leaks_known)
                return 0;
        lower(r, t);
        for (uint32_t i = 0; i < t->n_leaks; i++) {
                const struct wire_leak *w = &t->leaks[i];
                uint64_t key = leak_key(&w->block);
                struct leak *l = find(r, key), *all;

                if (!l) {
                        all = realloc(r->leaks, (r->n_leaks + 1) * sizeof *all);
                        if (!all)
                                return -1;
                        r->leaks = all;
                        l = &all[r->n_leaks++];
                        *l = (struct leak){.key = key, .blocks = w->blocks, .block = w->block};
                        l->least = r->leaks_known ? 0 : w->bytes + w->doubtful;
                }
                if (w->bytes && leak_add(l, w->bytes, 1))
                        return -1;
        }
        r->leaks_known++;
        return 0;
}

bool leaks_failure(const struct trace *t, uint32_t k, struct wire_failure *f)
{
        for (uint32_t i = 0; i < t->n_leaks; i++) {
                const struct wire_leak *w = &t->leaks[i];

                if (!w->direct || k--)
                        continue;
                *f = (struct wire_failure){
                        .kind = WIRE_FAIL_LEAK,
                        .actor = w->block.actor < t->n_threads ? w->block.actor : 0,
                        .signal = OP_FREE,
                        .status = w->bytes < UINT32_MAX ? (uint32_t)w->bytes : UINT32_MAX,
                        .addr = w->block.start,
                        .other_actor = WIRE_NO_ACTOR,
                        .other_op = w->blocks,
                        .site = w->block.allocated[0],
                        .event = t->n_events,
                        .block = w->block,
                };
                for (; f->n_stack < w->block.n_allocated; f->n_stack++)
                        f->stack[f->n_stack] = w->block.allocated[f->n_stack];
                if (w->blocks > 1)
                        snprintf(f->text, sizeof f->text, "in %u blocks", w->blocks);
                return true;
        }
        return false;
}

bool leaks_fails(const struct result *r, bool all, const struct wire_failure *f)
{
        const struct leak *l = find(r, leak_key(&f->block));

        return all || (l && !l->least);
}

struct leak *leaks_find(const struct result *r, const struct wire_block *b)
{
        return find(r, leak_key(b));
}

/* The failure that this leak is, or NULL. */
static struct finding *finding_of(const struct result *r, const struct leak *l)
{
        for (uint32_t i = 0; i < r->n_findings; i++) {
                const struct finding *f = &r->findings[i];
                if (f->kind == FINDING_LEAK && leak_key(&f->trace->failures[f->failure].block) == l->key)
                        return &r->findings[i];
        }
        return NULL;
}

bool leaks_fresh(const struct result *r, bool all, const struct trace *t)
{
        struct wire_failure f;

        for (uint32_t k = 0; leaks_failure(t, k, &f); k++) {
                const struct leak *l = leaks_find(r, &f.block);
                if (l && (!l->held || leaks_fails(r, all, &f)) && !finding_of(r, l))
                        return true;
        }
        return false;
}

int leaks_settle(struct result *r)
{
        for (uint32_t i = 0; i < r->n_leaks; i++) {
                struct leak *l = &r->leaks[i];
                struct finding *f = finding_of(r, l), *more;

                if (!f && l->held && !l->least) {
                        more = realloc(r->findings, (r->n_findings + 1) * sizeof *more);
                        if (!more)
                                return -1;
                        r->findings = more;
                        f = &more[r->n_findings++];
                        *f = *l->held;
                        free(l->held);
                        l->held = NULL;
                        for (uint32_t k = 0; k < r->n_races; k++)
                                r->races[k].unsure |= r->races[k].leaky > 0;
                }
                if (f)
                        f->count = leak_executions(l, 0);
        }
        return 0;
}

uint64_t leaks_executions(const struct result *r, bool all)
{
        uint64_t most = 0;

        for (uint32_t i = 0; i < r->n_leaks; i++) {
                uint64_t n = all || !r->leaks[i].least ? leak_executions(&r->leaks[i], 0) : 0;
                most = n > most ? n : most;
        }
        return most;
}
