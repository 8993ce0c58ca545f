/*
 * A backward slice over source text.  The trace has accesses to shared memory only, so a value that passed through local
 * variables is followed by the lines that assign them.  Lines are searched upward inside one function: MAX_LINES of them,
 * and not beyond a line that ends the function before.
 */
#include "report/cause/inputs.h"

#include <string.h>

#define MAX_LINES 150u
#define MAX_CALLS 3u

static void add(struct inputs *in, uint32_t i)
{
        if (!inputs_has(in, i) && in->n < INPUTS_MAX)
                in->at[in->n++] = i;
}

/* The reads of the last time that `actor` ran this line before entry `before`.  `now`: only if nothing came in between. */
static void add_line(struct view *v, uint32_t actor, uint32_t before, const struct view_place *p, bool now,
                     struct inputs *out)
{
        uint32_t i = view_latest(v, actor, before, p);

        if (now && i != view_latest(v, actor, before, NULL))
                return;
        for (; i != VIEW_NONE && out->n < INPUTS_MAX && view_within(v, i, p); i = view_previous(v, i))
                if (view_reads(v, i))
                        add(out, i);
}

/* A function begins here, or the one before ends. */
static bool is_edge(const char *line)
{
        return line[0] == '{' || line[0] == '}';
}

/* Lines above `p` that assign these variables: the reads there, and the variables that they use in turn. */
static void add_assigned(struct view *v, uint32_t actor, uint32_t before, const struct view_place *p,
                         struct source_names *names, struct inputs *out)
{
        struct view_place at = *p;

        for (uint32_t n = 0; n < MAX_LINES && at.at.line > 1; n++) {
                const char *text, *value;

                at.at.line--;
                text = view_line(v, &at, at.at.line);
                if (!text || is_edge(text))
                        return;
                value = source_assigns(text, names);
                if (!value)
                        continue;
                source_names_add(names, value);
                add_line(v, actor, before, &at, false, out);
        }
}

static void values_of(struct view *v, uint32_t actor, uint32_t before, const struct view_place *p, bool now,
                      struct inputs *out)
{
        struct source_names names = {.n = 0};
        const char *text = view_line(v, p, p->at.line);

        add_line(v, actor, before, p, now, out);
        if (!text)
                return;
        source_names_add(&names, text);
        add_assigned(v, actor, before, p, &names, out);
}

void inputs_values(struct view *v, uint32_t actor, uint32_t before, const struct view_place *p, struct inputs *out)
{
        struct view_place at = *p, caller;

        values_of(v, actor, before, &at, true, out);
        for (uint32_t k = 0; k < MAX_CALLS && !out->n && view_caller(v, &at, &caller); k++) { /* a parameter */
                at = caller;
                values_of(v, actor, before, &at, false, out);
        }
}

/* Does a condition at `line` keep the program from coming to later lines of its own block: does its body leave? */
static bool guards(struct view *v, const struct view_place *p, uint32_t line)
{
        const char *text = view_line(v, p, line);
        uint32_t indent = text ? source_indent(text) : 0;

        if (text && source_leaves(text))
                return true;
        for (uint32_t k = line + 1; k < line + 6 && k < p->at.line; k++) {
                const char *body = view_line(v, p, k);
                if (!body || source_indent(body) <= indent)
                        return false;
                if (source_indent(body) == UINT32_MAX)
                        continue;
                if (source_leaves(body) || strstr(body, "wait"))
                        return true;
        }
        return false;
}

static void conditions_of(struct view *v, uint32_t actor, uint32_t before, const struct view_place *p,
                          struct inputs *out)
{
        const char *text = view_line(v, p, p->at.line);
        uint32_t indent = text ? source_indent(text) : 0;

        if (!text)
                return;
        if (source_decides(text))
                values_of(v, actor, before, p, true, out);
        for (uint32_t line = p->at.line; line-- > 1 && line + MAX_LINES > p->at.line;) {
                struct view_place at = *p;
                const char *above = view_line(v, p, line);
                uint32_t depth;

                if (!above || is_edge(above))
                        return;
                depth = source_indent(above);
                if (depth > indent || !source_decides(above))
                        continue;
                at.at.line = line;
                if (depth < indent || guards(v, p, line) || strstr(above, "wait"))
                        values_of(v, actor, before, &at, false, out);
                indent = depth;
        }
}

void inputs_conditions(struct view *v, uint32_t actor, uint32_t before, const struct view_place *p, struct inputs *out)
{
        struct view_place at = *p, caller;

        conditions_of(v, actor, before, &at, out);
        for (uint32_t k = 0; k < MAX_CALLS && view_caller(v, &at, &caller); k++) {
                at = caller;
                conditions_of(v, actor, before, &at, out);
        }
}
