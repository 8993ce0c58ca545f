/*
 * The table of leaks.
 *
 * With --leaks some a leak is a failure when another execution ends with less lost at the same place.  Which one comes
 * first does not matter: the first execution that loses something is kept until one that loses less is met.  What only the
 * stack of a waiting thread may point to is not lost, and does not show that an execution loses less either.
 */
#include "verdict/leak_table.h"

#include <stdio.h>
#include <stdlib.h>

#include "op/op.h"

static int no_memory(struct session *s)
{
        snprintf(s->why, 512, "out of memory");
        return SESSION_FAIL;
}

static struct leak *find(const struct result *r, uint64_t key)
{
        for (uint32_t i = 0; i < r->n_leaks; i++)
                if (r->leaks[i].key == key)
                        return &r->leaks[i];
        return NULL;
}

/* What stands in the table and not in the trace was not lost. */
static void lower(struct session *s)
{
        const struct trace *t = &s->trace;
        struct result *r = s->result;

        for (uint32_t i = 0; i < r->n_leaks; i++) {
                uint64_t now = 0;
                for (uint32_t k = 0; k < t->n_leaks; k++)
                        if (leak_key(&t->leaks[k].block) == r->leaks[i].key)
                                now += t->leaks[k].bytes + t->leaks[k].doubtful;
                if (now < r->leaks[i].least)
                        r->leaks[i].least = now;
        }
}

int leaks_note(struct session *s)
{
        const struct trace *t = &s->trace;
        struct result *r = s->result;

        if (!t->leaks_known)
                return SESSION_OK;
        lower(s);
        for (uint32_t i = 0; i < t->n_leaks; i++) {
                const struct wire_leak *w = &t->leaks[i];
                uint64_t key = leak_key(&w->block);
                struct leak *l = find(r, key), *all;

                if (!l) {
                        all = realloc(r->leaks, (r->n_leaks + 1) * sizeof *all);
                        if (!all)
                                return no_memory(s);
                        r->leaks = all;
                        l = &all[r->n_leaks++];
                        *l = (struct leak){.key = key, .blocks = w->blocks, .block = w->block};
                        l->least = r->leaks_known ? 0 : w->bytes + w->doubtful;
                }
                if (w->bytes && leak_add(l, w->bytes, 1))
                        return no_memory(s);
        }
        r->leaks_known++;
        return SESSION_OK;
}

bool leaks_failure(const struct session *s, uint32_t k, struct wire_failure *f)
{
        const struct trace *t = &s->trace;

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

bool leaks_fails(const struct session *s, const struct wire_failure *f)
{
        const struct leak *l = find(s->result, leak_key(&f->block));

        return s->config->leaks == LEAKS_ALL || (l && f->status > l->least);
}

struct leak *leaks_find(const struct session *s, const struct wire_block *b)
{
        return find(s->result, leak_key(b));
}

/* Is it a failure already? */
static bool is_told(const struct session *s, uint64_t key)
{
        for (uint32_t i = 0; i < s->result->n_findings; i++) {
                const struct finding *f = &s->result->findings[i];
                if (f->kind == FINDING_LEAK && leak_key(&f->trace->failures[f->failure].block) == key)
                        return true;
        }
        return false;
}

bool leaks_fresh(const struct session *s)
{
        struct wire_failure f;

        for (uint32_t k = 0; leaks_failure(s, k, &f); k++) {
                const struct leak *l = leaks_find(s, &f.block);
                if (l && (!l->held || leaks_fails(s, &f)) && !is_told(s, l->key))
                        return true;
        }
        return false;
}
