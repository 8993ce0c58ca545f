/* The schedule that continues from a path: its decisions, and the sleep set of its top node. */
#include <errno.h>
#include <string.h>

#include "strategy/dpor/path.h"

int path_write_sleeper(struct schedule *out, uint32_t actor, const struct wire_access *acc, uint32_t n)
{
        struct wire_sleep *w = out->n_sleep ? &out->sleep[out->n_sleep - 1] : NULL;
        uint32_t k = out->n_sleep ? out->n_footprint : 0;

        if (!w || w->actor != actor) {
                if (out->n_sleep == WIRE_MAX_SLEEP)
                        return -E2BIG;
                w = &out->sleep[out->n_sleep++];
                w->actor = (uint16_t)actor;
                w->first = k;
                w->count = 0;
        }
        if (n > WIRE_MAX_FOOTPRINT - k)
                return -E2BIG;
        if (n > 0)
                memcpy(&out->footprint[k], acc, n * sizeof *acc);
        w->count += n;
        out->n_footprint = k + n;
        return 1;
}

static int write_sleeper(const struct path *p, const struct path_sleeper *s, struct schedule *out)
{
        return path_write_sleeper(out, s->actor, s->n ? &p->footprints.at[s->fp] : NULL, s->n);
}

/* Sleeper i is a branch.  The target lets its actor sleep with what all its branches touch, which need not be adjacent: it
 * runs when one of them is woken. */
static int write_branches(const struct path *p, const struct path_node *n, uint32_t i, struct schedule *out)
{
        const struct path_sleeper *s = &p->sleepers.at[n->sleep];
        int r = 1;

        for (uint32_t k = 0; k < i; k++)
                if (s[k].actor == s[i].actor)
                        return 1; /* they have been written */
        for (uint32_t k = i; k < n->n_sleep && r > 0; k++)
                if (s[k].actor == s[i].actor)
                        r = write_sleeper(p, &s[k], out);
        return r;
}

static int write_sleep(struct path *p, const struct path_node *n, uint32_t actor, struct schedule *out)
{
        int r = 1;

        out->n_sleep = 0;
        for (uint32_t i = 0; i < n->n_sleep && r > 0; i++) {
                const struct path_sleeper *s = &p->sleepers.at[n->sleep + i];

                if (s->actor != actor && !s->partial)
                        r = s->n_words ? write_branches(p, n, i, out) : write_sleeper(p, s, out);
        }
        return r;
}

static void write_decisions(const struct path *p, const struct path_node *n, struct schedule *out)
{
        for (uint32_t k = 0; k < n->n_parts; k++) {
                const struct path_part *part = &p->parts.at[n->part + k];

                out->prefix[n->decision + k] = (struct wire_decision){
                        .actor = n->actor, .op = part->op, .choice = part->choice, .obj = part->obj, .waits = n->waits};
        }
}

/* Nothing sleeps at the node but its own smaller values, so that nothing was omitted there. */
static bool settled(const struct path *p, const struct path_node *n)
{
        for (uint32_t k = 0; k < n->n_sleep; k++)
                if (p->sleepers.at[n->sleep + k].actor != n->actor || p->sleepers.at[n->sleep + k].n)
                        return false;
        return n->n_sleep && !n->inherited && n->other && n->n_parts == 1 && p->branch >= p->loaded;
}

int path_schedule(struct path *p, struct schedule *out)
{
        uint32_t i = p->branch;
        const struct path_node *top;

        p->given = true;
        out->tail = WIRE_TAIL_RUN_TO_BLOCK;
        out->flags = out->known = 0;
        out->n_prefix = out->n_hints = out->n_sleep = 0;
        if (!p->nodes.n)
                return 1;
        p->written = p->written < i ? p->written : i;
        if (out->kept > p->nodes.at[p->written].decision)
                out->kept = p->nodes.at[p->written].decision;
        if (out->author != p)
                p->written = 0;
        out->author = p;
        if (out->same > p->nodes.at[p->written].decision)
                out->same = p->nodes.at[p->written].decision;
        for (uint32_t k = p->written; k <= i; k++)
                write_decisions(p, &p->nodes.at[k], out);
        top = &p->nodes.at[i];
        p->written = i;
        out->n_prefix = top->decision + top->n_parts;
        out->n_last = top->n_parts;
        out->known = p->rebuild ? 0 : top->entry;
        out->known_of = p->run;
        out->flags = !p->sleepless && settled(p, top) ? WIRE_SETTLED : 0;
        return write_sleep(p, top, top->actor, out);
}
