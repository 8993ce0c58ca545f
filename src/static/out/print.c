/* See print.h. */
#include "static/out/print.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"

#define TEXT 200

static bool announced(const struct site *s)
{
        return s->kind <= SITE_SET && !s->private;
}

static void name(const struct graph *g, const struct site *s, char *text, size_t room)
{
        char object[TEXT];
        size_t n;

        snprintf(text, room, "%.*s:%u:%u %s", (int)s->length, s->file, s->line, s->column, graph_kind_name(s->kind));
        graph_object(g, s, object, sizeof object);
        if (s->kind == SITE_FUNCTION || s->kind == SITE_PARAMETER)
                snprintf(object, sizeof object, "%s", LLVMGetValueName2(s->value, &n));
        if (s->kind == SITE_CALL)
                snprintf(object, sizeof object, "%s", program_callee_name(s->value));
        if (object[0])
                snprintf(text + strlen(text), room - strlen(text), " %s", object);
}

struct figures {
        uint32_t reads, kept_reads, writes, kept_writes;
};

/* An update is a read and a write. */
static struct figures count(const struct graph *g)
{
        struct figures n = {0};

        for (uint32_t i = 0; i < g->sites.n; i++) {
                const struct site *s = &g->sites.at[i];
                if (!announced(s))
                        continue;
                if (s->kind != SITE_WRITE && s->kind != SITE_SET) {
                        n.reads++;
                        n.kept_reads += s->relevant;
                }
                if (s->kind != SITE_READ) {
                        n.writes++;
                        n.kept_writes += s->relevant;
                }
        }
        return n;
}

/* Why an access is relevant, in a word. */
static const char *reason(const struct graph *g, const struct site *s)
{
        uint32_t mark = g->relevance->why[s->access];

        if (!g->program->solved)
                return "the analysis was too large";
        while (mark != UINT32_MAX && g->relevance->marks.at[mark].next != UINT32_MAX)
                mark = g->relevance->marks.at[mark].next;
        return mark == UINT32_MAX ? "unknown" : relevance_edge_name(g->relevance->marks.at[mark].kind);
}

/* ... in a sentence. */
static const char *sentence(const char *word)
{
        static const char *const all[][2] = {{"branch", "a branch depends on it"},
                                             {"address", "the address of an access depends on it"},
                                             {"argument", "an argument of a call depends on it"},
                                             {"return", "a result of the program or of a thread depends on it"},
                                             {"observed", "a function of libc, the output or --observe reads it"},
                                             {"heap", "whether memory has leaked depends on it"},
                                             {"unknown", "code that heddle cannot look into may read it"}};

        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
                if (strcmp(all[i][0], word) == 0)
                        return all[i][1];
        return word;
}

static void print_notes(FILE *f, const struct graph *g)
{
        if (!g->program->whole)
                fprintf(f, "%s has no IR: all variables with a name that it can use are relevant\n",
                        g->program->not_whole);
        if (!g->program->solved)
                fputs("the program is too large for the analysis: everything is relevant\n", f);
        if (g->omitted)
                fprintf(f, "%llu possible dependences through memory are not listed\n", (unsigned long long)g->omitted);
}

void print_text(FILE *f, struct graph *g)
{
        struct figures n = count(g);
        char from[2 * TEXT], to[2 * TEXT];
        uint32_t function = UINT32_MAX;
        size_t length;

        fprintf(f, "%u reads, %u of them irrelevant; %u writes, %u of them irrelevant; %u functions, %u dependences\n",
                n.reads, n.reads - n.kept_reads, n.writes, n.writes - n.kept_writes, g->program->reached.n, g->edges.n);
        print_notes(f, g);
        fputs("\nOf accesses to memory that threads may share, those are irrelevant whose value no branch, address, "
              "call\n"
              "or output depends on.  Below: each of these accesses, then what depends on what.\n",
              f);
        for (uint32_t i = 0; i < g->sites.n; i++) {
                const struct site *s = &g->sites.at[i];
                if (!announced(s))
                        continue;
                if (s->function != function) {
                        function = s->function;
                        fprintf(f, "\n%s\n", LLVMGetValueName2(g->program->all.at[function].value, &length));
                }
                name(g, s, from, sizeof from);
                fprintf(f, "  %s: %s%s\n", from, s->relevant ? "relevant, since " : "irrelevant",
                        s->relevant ? sentence(reason(g, s)) : "");
        }
        fputs("\ndependences (from -> to: to depends on from)\n", f);
        for (uint32_t i = 0; i < g->edges.n; i++) {
                name(g, &g->sites.at[g->edges.at[i].from], from, sizeof from);
                name(g, &g->sites.at[g->edges.at[i].to], to, sizeof to);
                fprintf(f, "  %s -> %s (%s)\n", from, to, relevance_edge_name(g->edges.at[i].kind));
        }
}

static void json_site(FILE *f, const struct graph *g, uint32_t i)
{
        const struct site *s = &g->sites.at[i];
        char text[TEXT];
        size_t n;

        fprintf(f, "%s\n  {\"id\": %u, \"kind\": \"%s\", \"function\": ", i ? "," : "", i, graph_kind_name(s->kind));
        json_string(f, LLVMGetValueName2(g->program->all.at[s->function].value, &n));
        snprintf(text, sizeof text, "%.*s", (int)s->length, s->file);
        fputs(", \"file\": ", f);
        json_string(f, text);
        fprintf(f, ", \"line\": %u, \"column\": %u", s->line, s->column);
        if (s->access != UINT32_MAX) {
                graph_object(g, s, text, sizeof text);
                fputs(", \"object\": ", f);
                json_string(f, text[0] ? text : NULL);
                fprintf(f, ", \"private\": %s, \"relevant\": %s", json_bool(s->private), json_bool(s->relevant));
                fputs(", \"reason\": ", f);
                json_string(f, s->relevant ? reason(g, s) : NULL);
        }
        fputc('}', f);
}

void print_json(FILE *f, struct graph *g)
{
        struct figures n = count(g);

        fprintf(f, "{\"format\": 1, \"version\": \"%s\", \"whole\": %s, \"solved\": %s,\n", HEDDLE_VERSION,
                json_bool(g->program->whole), json_bool(g->program->solved));
        fprintf(f,
                "\"functions\": %u, \"reads\": %u, \"irrelevant_reads\": %u, \"writes\": %u, \"irrelevant_writes\": "
                "%u,\n",
                g->program->reached.n, n.reads, n.reads - n.kept_reads, n.writes, n.writes - n.kept_writes);
        fprintf(f, "\"omitted_edges\": %llu,\n\"sites\": [", (unsigned long long)g->omitted);
        for (uint32_t i = 0; i < g->sites.n; i++)
                json_site(f, g, i);
        fputs("],\n\"edges\": [", f);
        for (uint32_t i = 0; i < g->edges.n; i++)
                fprintf(f, "%s\n  {\"from\": %u, \"to\": %u, \"kind\": \"%s\"}", i ? "," : "", g->edges.at[i].from,
                        g->edges.at[i].to, relevance_edge_name(g->edges.at[i].kind));
        fputs("]}\n", f);
}

void print_dot(FILE *f, struct graph *g)
{
        char text[2 * TEXT];

        fputs("digraph dependences {\n  node [shape=box, fontname=\"monospace\"];\n", f);
        for (uint32_t i = 0; i < g->sites.n; i++) {
                const struct site *s = &g->sites.at[i];
                name(g, s, text, sizeof text);
                for (char *c = text; *c; c++)
                        if (*c == '"' || *c == '\\')
                                *c = '\'';
                fprintf(f, "  n%u [label=\"%s\"%s];\n", i, text, announced(s) && !s->relevant ? ", style=dashed" : "");
        }
        for (uint32_t i = 0; i < g->edges.n; i++)
                fprintf(f, "  n%u -> n%u [label=\"%s\"];\n", g->edges.at[i].from, g->edges.at[i].to,
                        relevance_edge_name(g->edges.at[i].kind));
        fputs("}\n", f);
}

static bool is_at(const struct site *s, const char *where)
{
        char full[2 * TEXT], line[2 * TEXT];
        const char *slash = strrchr(where, '/');

        snprintf(full, sizeof full, "%.*s:%u:%u", (int)s->length, s->file, s->line, s->column);
        snprintf(line, sizeof line, "%.*s:%u", (int)s->length, s->file, s->line);
        where = slash ? slash + 1 : where;
        return strcmp(where, full) == 0 || strcmp(where, line) == 0;
}

/* The steps from a mark to its root. */
static void print_steps(FILE *f, const struct graph *g, uint32_t mark)
{
        char text[2 * TEXT];

        for (; mark != UINT32_MAX; mark = g->relevance->marks.at[mark].next) {
                const struct mark *m = &g->relevance->marks.at[mark];
                uint32_t site = program_index(&g->of, m->use);
                if (site == UINT32_MAX)
                        continue; /* a computation between two sites */
                name(g, &g->sites.at[site], text, sizeof text);
                fprintf(f, "  -> %s (%s)\n", text, relevance_edge_name(m->kind));
        }
}

bool print_why(FILE *f, struct graph *g, const char *where)
{
        char text[2 * TEXT];
        bool any = false;

        for (uint32_t i = 0; i < g->sites.n; i++) {
                const struct site *s = &g->sites.at[i];
                if (s->access == UINT32_MAX || !is_at(s, where))
                        continue;
                any = true;
                name(g, s, text, sizeof text);
                if (!s->relevant) {
                        fprintf(f, "%s: irrelevant, nothing that counts depends on it\n", text);
                        continue;
                }
                fprintf(f, "%s: relevant (%s)\n", text, reason(g, s));
                print_steps(f, g, g->relevance->why[s->access]);
        }
        return any;
}
