/*
 * Branches of transitions: their choices, and which of them sleep.
 *
 * A branch is known by the choices of all its parts.  As long as nothing conflicts with what it touches, it would do the
 * same again, choice by choice; so two branches of one actor from one state are the same if their choices are.
 */
#include "strategy/dpor/path.h"

#include "op/op.h"

bool path_sleeps(const struct path *p, const struct path_node *n, uint32_t actor)
{
        for (uint32_t i = 0; i < n->n_sleep; i++)
                if (p->sleepers.at[n->sleep + i].actor == actor && !p->sleepers.at[n->sleep + i].partial)
                        return true;
        return false;
}

uint32_t path_next_part(const struct path *p, uint32_t i)
{
        const struct path_node *n = &p->nodes.at[i];
        uint32_t k = n->n_parts - 1;

        while (k > 0 && p->parts.at[n->part + k].next_choice == WIRE_NO_CHOICE)
                k--;
        return k;
}

/* The choices of the first n parts of a node. */
static const uint32_t *values(struct path *p, const struct path_node *node, uint32_t n)
{
        p->scratch.n = 0;
        if (!vec_reserve(&p->scratch, n + 1))
                return NULL;
        for (uint32_t k = 0; k < n; k++)
                *vec_push(&p->scratch) = p->parts.at[node->part + k].choice;
        return p->scratch.at;
}

const uint32_t *path_values(struct path *p, uint32_t i, uint32_t *n)
{
        const struct path_node *node = &p->nodes.at[i];

        *n = node->n_parts > 1 || node->more || node->other ? node->n_parts : 0;
        return values(p, node, *n);
}

const uint32_t *path_next_values(struct path *p, uint32_t i, uint32_t *n)
{
        const struct path_node *node = &p->nodes.at[i];
        const uint32_t *v;

        *n = node->more ? path_next_part(p, i) + 1 : 0;
        v = values(p, node, *n);
        if (v && *n)
                p->scratch.at[*n - 1] = p->parts.at[node->part + *n - 1].next_choice;
        return v;
}

/* Is the transition of node t one of the branches of a sleeper? */
static bool among(const struct path *p, const struct path_sleeper *s, const struct path_node *t)
{
        const uint32_t *at = &p->values.at[s->branches], *end = at + s->n_words;

        for (; at < end; at += *at + 1) {
                uint32_t k = 0;

                while (k < *at && *at == t->n_parts && at[k + 1] == p->parts.at[t->part + k].choice)
                        k++;
                if (k == t->n_parts)
                        return true;
        }
        return false;
}

bool path_covers(const struct path *p, const struct path_sleeper *s, uint32_t t)
{
        return !s->partial || (t != CAUSALITY_NONE && among(p, s, &p->nodes.at[t]));
}

bool path_branch_sleeps(const struct path *p, uint32_t i)
{
        const struct path_node *n = &p->nodes.at[i];

        for (uint32_t k = 0; k < n->n_sleep; k++) {
                const struct path_sleeper *s = &p->sleepers.at[n->sleep + k];

                if (s->actor == n->actor && s->n_words && among(p, s, n))
                        return true;
        }
        return false;
}

bool path_bars(const struct path *p, const struct wire_access *pending, const uint32_t *past, uint32_t t)
{
        const struct path_node *n = &p->nodes.at[t];

        for (uint32_t k = 0; k < n->n_acc && t >= past[n->actor]; k++) {
                const struct wire_access *a = &p->accesses.at[n->acc + k];

                if (op_overlap(a, pending) && op_modes_conflict(a->mode, pending->mode) && !op_commute(a, pending))
                        return true;
        }
        return false;
}
