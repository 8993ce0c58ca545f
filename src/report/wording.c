/* Small words that all reports share.  Everything is written into the caller's buffer and cut to fit. */
#include "report/wording.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct symbols *phrase_symbols(const struct result *r, const struct trace *t, struct symbols **own)
{
        if (!t && r->n_findings)
                t = r->findings[0].trace;
        *own = NULL;
        if (r && r->names)
                return r->names;
        if (t && t->symbols)
                return t->symbols;
        *own = r ? symbols_create(r->facts.modules, r->facts.n_modules) : symbols_create(t->modules, t->n_modules);
        for (uint32_t i = 0; r && *own && i < r->facts.n_labels; i++)
                symbols_know_data(*own, r->facts.labels[i].addr, r->facts.labels[i].name);
        for (uint32_t i = 0; r && *own && i < r->n_findings; i++)
                finding_focus(&r->findings[i], *own); /* blocks of the heap have the same numbers in every report */
        return *own;
}

uint64_t phrase_masked(uint64_t value, uint32_t size)
{
        return size && size < 8 ? value & ((UINT64_C(1) << size * 8) - 1) : value;
}

int64_t phrase_signed(uint64_t value, uint32_t size)
{
        uint64_t v = phrase_masked(value, size);
        uint64_t sign = size && size < 8 ? UINT64_C(1) << (size * 8 - 1) : 0;

        return (int64_t)(v & sign ? v - 2 * sign : v);
}

/* The end of what is in brackets here, behind the closing one. */
static const char *behind(const char *s, char open, char close)
{
        int depth = 0;

        for (; *s; s++) {
                depth += (*s == open) - (*s == close);
                if (!depth)
                        return s + 1;
        }
        return s;
}

/* "&" and the name of what a pointer points to, without the arguments of templates. */
static void say_pointer(char *buf, size_t n, const char *name)
{
        size_t len = (size_t)snprintf(buf, n, "&");

        while (*name && len + 1 < n) {
                if (*name == '<')
                        name = behind(name, '<', '>');
                else
                        buf[len++] = *name++;
        }
        buf[len] = 0;
}

const char *phrase_text(char *buf, size_t n, struct symbols *s, uint64_t value, uint32_t size)
{
        uint64_t v = phrase_masked(value, size);
        int64_t i = phrase_signed(value, size);
        const char *name = NULL;

        if (size == 8 && v > UINT32_MAX) {
                name = symbols_data(s, v);
                if (!name && i > 0)
                        name = symbols_function(s, v);
        }
        if (name)
                say_pointer(buf, n, name);
        else if (i < 0 && i >= -100000)
                snprintf(buf, n, "%" PRId64, i);
        else if (v < UINT64_C(10000000))
                snprintf(buf, n, "%" PRIu64, v);
        else
                snprintf(buf, n, "0x%" PRIx64, v);
        return buf;
}

const char *phrase_observed(char *buf, size_t n, struct symbols *s, const struct observed *o, uint64_t value)
{
        uint64_t v = phrase_masked(value, o->size);

        if (o->is_pointer) {
                const char *name = v ? symbols_data(s, v) : NULL;
                if (name)
                        snprintf(buf, n, "&%s", name);
                else
                        snprintf(buf, n, "0x%" PRIx64, v);
        } else if (o->is_signed) {
                snprintf(buf, n, "%" PRId64, phrase_signed(value, o->size));
        } else {
                snprintf(buf, n, "%" PRIu64, v);
        }
        return buf;
}

const char *phrase_thread_name(char *buf, size_t n, struct symbols *s, const struct trace *t, uint32_t i)
{
        const struct wire_thread *th = &t->threads[i];
        const char *start = th->start ? symbols_function(s, th->start) : NULL;

        if (th->state == WIRE_T_BUFFER)
                snprintf(buf, n, "store buffer");
        else if (th->name[0])
                snprintf(buf, n, "%s", th->name);
        else if (i == 0)
                snprintf(buf, n, "main");
        else
                snprintf(buf, n, "%s", start ? start : "");
        return buf;
}

/* "{lambda(int)#2}::operator()" is lambda#2. */
static const char *say_lambda(const char *s, char *buf, size_t n)
{
        const char *end = behind(s, '{', '}'), *number = end;

        while (number > s && *number != '#')
                number--;
        snprintf(buf, n, "lambda%.*s", number > s && number[1] != '1' ? (int)(end - 1 - number) : 0, number);
        return strncmp(end, "::operator()", 12) == 0 ? end + 12 : end;
}

const char *phrase_function(char *buf, size_t n, const char *name)
{
        const char *s = name;
        size_t len = 0;

        while (*s && len + 32 < n) {
                bool operator= len >= 8 && memcmp(buf + len - 8, "operator", 8) == 0;

                if (*s == '(' && !operator&& strncmp(s, "(anonymous namespace)", 21) != 0) {
                        s = behind(s, '(', ')');
                        s += strncmp(s, " const", 6) == 0 ? 6 : 0;
                } else if (*s == '<' && !operator) {
                        s = behind(s, '<', '>');
                } else if (strncmp(s, "$_", 2) == 0 && strstr(s, "::operator()")) { /* clang's name of a lambda */
                        len += (size_t)snprintf(buf + len, n - len, "lambda");
                        s = strstr(s, "::operator()") + 12;
                } else if (strncmp(s, "{lambda", 7) == 0) {
                        s = say_lambda(s, buf + len, n - len);
                        len += strlen(buf + len);
                } else if (*s == ' ' && len && !operator) { /* the type that a template returns */
                        len = 0;
                        s++;
                } else {
                        buf[len++] = *s++;
                }
        }
        buf[len] = 0;
        return buf;
}

struct symbols_frame phrase_place(struct symbols *s, uint64_t site)
{
        const struct symbols_frame *frames;
        uint32_t n = symbols_frames(s, site, &frames);

        for (uint32_t i = 0; i < n; i++)
                if (frames[i].line)
                        return frames[i];
        return frames[0];
}

bool phrase_user_frame(struct symbols *s, const uint64_t *sites, uint32_t n, struct symbols_frame *out)
{
        for (uint32_t i = 0; i < n; i++) {
                const struct symbols_frame *frames;
                uint32_t k = symbols_frames(s, sites[i], &frames);

                for (uint32_t j = 0; j < k; j++) {
                        if (!frames[j].line || frames[j].runtime || strncmp(frames[j].file, "/usr/", 5) == 0)
                                continue;
                        *out = frames[j];
                        return true;
                }
        }
        return false;
}

struct symbols_frame phrase_where(struct symbols *s, const uint64_t *sites, uint32_t n)
{
        struct symbols_frame f = {.function = NULL};

        if (phrase_user_frame(s, sites, n, &f))
                return f;
        for (uint32_t i = 0; i < n; i++) {
                f = phrase_place(s, sites[i]);
                if (f.line && !f.runtime)
                        return f;
        }
        return n ? phrase_place(s, sites[0]) : f;
}

struct symbols_frame phrase_entry(struct symbols *s, const struct trace *t, uint32_t i)
{
        uint64_t sites[WIRE_MAX_STACK];
        uint32_t n = trace_stack(t, i, sites, WIRE_MAX_STACK);

        return n ? phrase_where(s, sites, n) : phrase_place(s, t->events[i].site);
}

const char *phrase_rest(enum finding_kind kind, const char *message)
{
        const char *name = finding_kind_name(kind);

        if (!message)
                return "";
        return strncmp(message, name, strlen(name)) == 0 ? message + strlen(name) : message;
}

const char *phrase_ignored(char *buf, size_t size, const struct stats *st)
{
        size_t n = 0;

        buf[0] = '\0';
        for (uint32_t i = 0; i < FINDING_KINDS && n < size; i++)
                if (st->ignored[i])
                        n += (size_t)snprintf(buf + n, size - n, "%s%s in %" PRIu64 " execution%s",
                                              n ? ", " : "ignored: ", finding_kind_name(i), st->ignored[i],
                                              st->ignored[i] == 1 ? "" : "s");
        return buf;
}

const char *phrase_verdict(const struct result *r)
{
        if (r->n_findings)
                return "failure";
        return r->stats.complete ? "safe" : "unknown";
}

const char *phrase_headline(char *buf, size_t n, const struct result *r, uint32_t races)
{
        const char *alone = r->stats.threads == 1 ? "; no thread was started, only one thread ran" : "";
        char text[PHRASE_IGNORED];
        const char *counts = phrase_ignored(text, sizeof text, &r->stats)[0] ? " that counts" : "";

        if (!r->stats.complete && reasons_not_covered(&r->stats.reasons).set)
                snprintf(buf, n, "No failure found; not everything was covered:");
        else if (!r->stats.complete)
                snprintf(buf, n, "No failure so far, but not everything was explored:");
        else if (races)
                snprintf(buf, n,
                         "No failure%s, but %u data race%s (undefined behaviour in C and C++; --fail-on race makes %s)",
                         counts, races, races == 1 ? "" : "s", races == 1 ? "it a failure" : "them failures");
        else if (!r->facts.instrumented)
                snprintf(buf, n, "No failure%s at the granularity of thread calls: memory accesses were not watched%s",
                         counts, alone);
        else
                snprintf(buf, n, "No failure%s: every behaviour explored%s", counts, alone);
        return buf;
}

void phrase_percent(char *buf, size_t size_of_buf, const struct stats *st)
{
        struct stats_range r = stats_range(st);
        double done = (double)st->executions * 100, most = r.low > 0 ? done / r.low : 100;
        double least = r.high > 0 ? done / r.high : 0;

        buf[0] = 0;
        if (most < 0.01)
                snprintf(buf, size_of_buf, "less than 0.01 %%");
        else if (r.high > 0 && most >= 99)
                snprintf(buf, size_of_buf, "more than %.2g %%", least);
        else if (r.high > 0)
                snprintf(buf, size_of_buf, "%.2g to %.2g %%", least, most);
        else if (most < 50)
                snprintf(buf, size_of_buf, "less than %.2g %%", most);
}

void phrase_share(char *buf, size_t size_of_buf, const struct stats *st, const char *before, const char *of)
{
        uint32_t bound = st->share_bound - 1;
        char within[64] = "", share[64];

        buf[0] = 0;
        if (st->share_bound)
                snprintf(within, sizeof within, " of those with up to %u preemption%s", bound, bound == 1 ? "" : "s");
        phrase_percent(share, sizeof share, st);
        if (share[0])
                snprintf(buf, size_of_buf, "%s%s%s explored%s", before, share, within[0] ? within : of,
                         stats_range(st).high > 0 ? " (80 % confidence)" : "");
}

const char *phrase_proven(char *buf, size_t size_of_buf, const struct result *r)
{
        const struct stats *st = &r->stats;
        uint32_t bound = st->proven - 1;
        int n = 0;

        buf[0] = 0;
        if (st->proven)
                n = snprintf(buf, size_of_buf, "%s up to %u preemption%s",
                             r->n_findings ? "every execution explored with" : "no failure with", bound,
                             bound == 1 ? "" : "s");
        if (st->share > 0 && (size_t)n < size_of_buf)
                phrase_share(buf + n, size_of_buf - (size_t)n, st, n ? "; " : "", n ? " of the rest" : "");
        return buf;
}

void phrase_put_instead(FILE *f, const char *asked, const struct result *r)
{
        if (r->instead)
                fprintf(f, "  Explored by %s instead of %s, because of %s\n", r->instead, asked, r->instead_why);
}

const char *phrase_replay_option(const struct finding *fd)
{
        return fd->kind == FINDING_LEAK ? "--leaks=all " : "";
}

void phrase_focus_race(struct symbols *s, const struct race *r)
{
        struct wire_local locals[2];
        struct wire_block blocks[2];
        uint32_t n = 0, n_blocks = 0;

        for (int i = 0; i < 2; i++) {
                if (r->access[i].local.addr)
                        locals[n++] = r->access[i].local;
                if (r->access[i].block.n_allocated)
                        blocks[n_blocks++] = r->access[i].block;
        }
        symbols_focus(s, locals, n);
        symbols_focus_heap(s, blocks, n_blocks);
}

const char *phrase_rounds(char *buf, size_t size, const struct stats *st)
{
        unsigned long long covered = st->rounds_covered, most = st->rounds;

        if (!st->fair_limit || st->complete)
                buf[0] = '\0';
        else if (covered)
                snprintf(buf, size,
                         "  Loops: executions with up to %llu rounds before other threads run are covered; up to %llu "
                         "were "
                         "run.\n  Other threads run first after %u transitions of a thread (--fair-after).\n",
                         covered, most, st->fair_limit);
        else
                snprintf(buf, size,
                         "  Loops: no number of rounds before other threads run is covered completely; up to %llu were "
                         "run.\n"
                         "  Other threads run first after %u transitions of a thread (--fair-after).\n",
                         most, st->fair_limit);
        return buf;
}
