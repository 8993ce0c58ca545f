/*
 * See loops.h.  The target reports the site and the words of the stack above it.  From the code around the site follows where
 * the return address of its function is, and so on outwards.
 */
#include "program/loops.h"

#include <string.h>

#include "base/log.h"
#include "binary/liveness.h"

#define DEPTH  16u   /* frames */
#define MARGIN 1024u /* bytes of a stack */

/* The loop or call of this site, NULL: not known. */
static struct wire_loop *known(struct wire_down *d, uint64_t site)
{
        for (uint32_t i = 0; i < d->n_loops; i++)
                if (d->loops[i].site == site)
                        return &d->loops[i];
        return NULL;
}

static struct wire_loop *add(struct program *p, uint64_t site)
{
        struct wire_down *d = p->target.down;
        struct wire_loop *l = known(d, site);

        if (l || d->n_loops == WIRE_MAX_LOOPS)
                return l;
        l = &d->loops[d->n_loops++];
        *l = (struct wire_loop){
                .site = site, .frame = UINT32_MAX, .live = WIRE_LOOP_REGISTERS, .scratch = WIRE_LOOP_SCRATCH};
        for (uint32_t i = p->facts->n_modules; i-- > 0;) {
                const struct wire_module *m = &p->facts->modules[i];

                if (m->base <= site && liveness_of_module(m->path, site - m->base, l))
                        break;
        }
        return l;
}

/* More of a stack is in use at a loop than before. */
static bool deeper(struct wire_down *d, uint32_t depth)
{
        if (depth <= d->loop_depth)
                return false;
        d->loop_depth = depth + MARGIN;
        return true;
}

bool loops_learn(struct program *p)
{
        const struct wire_up *up = p->target.up;
        uint32_t n = up->n_loop_stack < WIRE_LOOP_STACK ? up->n_loop_stack : WIRE_LOOP_STACK;
        struct wire_loop *l = n ? add(p, up->loop_stack[0]) : NULL;
        bool more = deeper(p->target.down, up->loop_depth);

        if (!l || l->looks || (!up->loop_looks && l != &p->target.down->loops[p->target.down->n_loops - 1]))
                return !n && more;
        l->looks = up->loop_looks != 0;
        for (uint32_t i = 1, k = 0; l && k < DEPTH && l->frame != UINT32_MAX; k++, i++) {
                i += l->frame / 8; /* the return address */
                l = i < n ? add(p, up->loop_stack[i]) : NULL;
        }
        if (up->loop_looks)
                log_note("a thread may loop without effect at %#llx", (unsigned long long)up->loop_stack[0]);
        return true;
}

void loops_forget_wasted(struct wire_down *d)
{
        if (d->n_wasted)
                memset(d->wasted, 0, sizeof d->wasted);
        d->n_wasted = d->n_agreed = 0;
        d->wasted_seq++;
}

static bool add_wasted(struct wire_down *d, uint64_t hash)
{
        uint32_t i = (uint32_t)hash % WIRE_MAX_WASTED;

        while (d->wasted[i] && d->wasted[i] != hash)
                i = (i + 1) % WIRE_MAX_WASTED;
        if (!d->wasted[i] && d->n_wasted == WIRE_MAX_WASTED / 2)
                return false;
        d->wasted_seq += !d->wasted[i];
        d->n_wasted += !d->wasted[i];
        d->wasted[i] = hash;
        return true;
}

/* The first n of `agreed` are what is known, and no reads are known to lead back: whether they do may depend on it. */
static void agree(struct wire_down *d, uint32_t n)
{
        loops_forget_wasted(d);
        d->n_agreed = n;
        for (uint32_t i = 0; i < n; i++)
                add_wasted(d, d->agreed[i]);
}

bool loops_agree(struct wire_down *d, uint64_t hash)
{
        uint32_t i = d->n_agreed;

        while (i && d->agreed[i - 1] > hash)
                i--;
        if (i && d->agreed[i - 1] == hash)
                return true;
        if (d->n_agreed == WIRE_MAX_AGREED)
                return false;
        memmove(&d->agreed[i + 1], &d->agreed[i], (d->n_agreed - i) * sizeof *d->agreed);
        d->agreed[i] = hash;
        agree(d, d->n_agreed + 1);
        return true;
}

bool loops_learn_wasted(struct wire_down *d, const struct wire_up *up)
{
        bool ok = true;

        for (uint32_t k = 0; k < up->n_wasted && k < WIRE_NEW_WASTED && ok; k++) {
                uint64_t h = up->wasted[k] | 1;

                if (up->restart == WIRE_RESTART_MUST)
                        ok = loops_agree(d, h);
                else
                        add_wasted(d, h);
        }
        return ok;
}
