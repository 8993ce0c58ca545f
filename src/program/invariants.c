/*
 * The functions of --invariant and --final.  They are found in the symbol table of the program; a C++ function without
 * parameters also by its plain name.
 */
#include "program/invariants.h"

#include <stdio.h>
#include <string.h>

#include "base/distance.h"
#include "strategy/registry.h"

struct search {
        const char *name;
        char mangled[300];
        uint64_t addr; /* 0: not found */
        char near[128];
        size_t distance;
};

static bool look(void *arg, const char *name, uint64_t addr, uint64_t size)
{
        struct search *f = arg;
        size_t d;

        (void)size;
        if (!strcmp(name, f->name) || !strcmp(name, f->mangled)) {
                f->addr = addr;
                return false;
        }
        d = distance_words(name, f->name);
        if (d < f->distance) {
                f->distance = d;
                snprintf(f->near, sizeof f->near, "%s", name);
        }
        return true;
}

static int find(struct program *p, const char *option, const char *const *names, uint32_t n, uint64_t *out)
{
        if (n > WIRE_MAX_WATCHED)
                return error_set(p->why, ERROR_USAGE, "--%s: at most %u functions can be given", option,
                                 WIRE_MAX_WATCHED);
        for (uint32_t i = 0; i < n; i++) {
                struct search f = {.name = names[i], .distance = strlen(names[i]) / 2 + 1};

                snprintf(f.mangled, sizeof f.mangled, "_Z%zu%sv", strlen(names[i]), names[i]);
                symbols_functions(p->symbols, "", look, &f);
                out[i] = f.addr;
                if (f.addr)
                        continue;
                return error_set(p->why, ERROR_USAGE, "--%s: the program has no function '%.100s'%s%s%s", option,
                                 names[i], f.near[0] ? "; did you mean '" : "; it must not be static, and not stripped",
                                 f.near, f.near[0] ? "'?" : "");
        }
        return RUN_OK;
}

int watch_find(struct program *p)
{
        const struct config *c = p->config;
        struct wire_down *d = p->target.down;
        int e = find(p, "invariant", c->invariants, c->n_invariants, d->invariants);

        if (e == RUN_OK)
                e = find(p, "final", c->finals, c->n_finals, d->finals);
        if (e != RUN_OK)
                return e;
        if (c->n_invariants && !c->instrumented && !c->replay && strategy_can(c->strategy, STRATEGY_REDUCES))
                return error_set(
                        p->why, ERROR_USAGE,
                        "--invariant: what the function reads is not seen, because the program was not built by "
                        "'heddle cc'; build it so, or use --strategy dfs");
        d->watch_always = !c->instrumented;
        d->n_invariants = c->n_invariants;
        d->n_finals = c->n_finals;
        return RUN_OK;
}

int watch_misused(const struct program *p, const struct trace *t)
{
        const struct config *c = p->config;
        uint32_t i = t->step;
        bool final = i >= WIRE_MAX_WATCHED;
        const char *name = "?";

        if (final && i - WIRE_MAX_WATCHED < c->n_finals)
                name = c->finals[i - WIRE_MAX_WATCHED];
        else if (i < c->n_invariants)
                name = c->invariants[i];
        return error_set(p->why, ERROR_USAGE,
                         "--%s %.100s: the function may only read memory, but it performs '%s'; remove that",
                         final ? "final" : "invariant", name, t->text);
}
