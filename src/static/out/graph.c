/* See graph.h. */
#include "static/out/graph.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "static/control.h"
#include "static/external.h"
#include "static/values.h"

#define MOST_PAIRS 4096u /* edges through the memory of one object */

const char *graph_kind_name(enum site_kind kind)
{
        static const char *const names[SITE_KINDS] = {"read", "write",  "update",    "copy",   "set",
                                                      "call", "branch", "parameter", "return", "function"};

        return names[kind];
}

static void locate(struct site *s, LLVMValueRef v)
{
        const char *path;
        unsigned n = 0;

        s->line = LLVMGetDebugLocLine(v);
        s->column = LLVMIsAInstruction(v) ? LLVMGetDebugLocColumn(v) : 0;
        path = s->line ? LLVMGetDebugLocFilename(v, &n) : NULL;
        s->file = path ? path : "";
        for (unsigned i = 0; i < n; i++)
                if (path[i] == '/')
                        s->file = path + i + 1;
        s->length = path ? (uint32_t)(path + n - s->file) : 0;
}

static struct site *add_site(struct graph *g, enum site_kind kind, LLVMValueRef v, uint32_t function)
{
        struct site *s;

        vec_need(&g->sites, 1);
        s = vec_push(&g->sites);
        *s = (struct site){.value = v, .function = function, .access = UINT32_MAX, .kind = (uint8_t)kind};
        if (ptrmap_insert(&g->of, (uintptr_t)v, (void *)(uintptr_t)g->sites.n))
                memory_out();
        return s;
}

static void add_instruction(struct graph *g, uint32_t function, LLVMValueRef i)
{
        struct program *p = g->program;
        uint32_t access = relevance_access(g->relevance, i);
        LLVMOpcode o = LLVMGetInstructionOpcode(i);
        int kind = -1;

        if (access != UINT32_MAX && p->accesses.at[access].kind <= ACCESS_SET)
                kind = SITE_READ + p->accesses.at[access].kind;
        else if ((o == LLVMBr && LLVMIsConditional(i)) || o == LLVMSwitch || o == LLVMIndirectBr)
                kind = SITE_BRANCH;
        else if (program_index(&p->calls, i) != UINT32_MAX)
                kind = SITE_CALL;
        else if (o == LLVMRet && LLVMGetNumOperands(i))
                kind = SITE_RETURN;
        if (kind < 0)
                return;
        struct site *s = add_site(g, (enum site_kind)kind, i, function);
        locate(s, i);
        s->relevant = true;
        if (kind > SITE_SET)
                return;
        s->access = access;
        s->private = p->accesses.at[access].private;
        s->relevant = g->relevance->relevant[access];
}

void graph_init(struct graph *g, struct relevance *r)
{
        struct program *p = r->program;

        memset(g, 0, sizeof *g);
        g->relevance = r;
        g->program = p;
        for (uint32_t f = 0; f < p->all.n; f++) {
                LLVMValueRef function = p->all.at[f].value;
                if (!p->all.at[f].reached && p->solved)
                        continue;
                locate(add_site(g, SITE_FUNCTION, function, f), function);
                for (unsigned i = 0; i < LLVMCountParams(function); i++)
                        locate(add_site(g, SITE_PARAMETER, LLVMGetParam(function, i), f), function);
                for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
                        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                                add_instruction(g, f, i);
        }
}

void graph_fini(struct graph *g)
{
        vec_fini(&g->sites);
        vec_fini(&g->edges);
        ptrmap_fini(&g->of, NULL);
}

static void add_edge(struct graph *g, uint32_t from, uint32_t to, enum edge_kind kind)
{
        vec_need(&g->edges, 1);
        *vec_push(&g->edges) = (struct edge){from, to, (uint8_t)kind};
}

/* Edges from all sites that a value is computed from. */
static void connect_value(struct graph *g, LLVMValueRef v, uint32_t to, enum edge_kind kind)
{
        VEC(LLVMValueRef) stack = {0};
        struct ptrmap seen = PTRMAP_INIT;

        vec_need(&stack, 1);
        *vec_push(&stack) = v;
        while (stack.n) {
                LLVMValueRef at = stack.at[--stack.n];
                uint32_t site;

                if (!at || (!LLVMIsAInstruction(at) && !LLVMIsAArgument(at)) || ptrmap_find(&seen, (uintptr_t)at))
                        continue;
                if (ptrmap_insert(&seen, (uintptr_t)at, at))
                        memory_out();
                site = program_index(&g->of, at);
                if (site != UINT32_MAX) {
                        add_edge(g, site, to, kind);
                        continue;
                }
                int n = LLVMGetNumOperands(at);
                vec_need(&stack, (uint32_t)n);
                for (int i = 0; i < n && LLVMGetInstructionOpcode(at) != LLVMAlloca; i++)
                        *vec_push(&stack) = LLVMGetOperand(at, (unsigned)i);
        }
        vec_fini(&stack);
        ptrmap_fini(&seen, NULL);
}

static void connect_call(struct graph *g, uint32_t at)
{
        struct program *p = g->program;
        LLVMValueRef call = g->sites.at[at].value;
        const struct call *c = &p->each_call.at[program_index(&p->calls, call)];

        if (!program_callee(call))
                connect_value(g, LLVMGetCalledValue(call), at, EDGE_ADDRESS);
        for (unsigned i = 0; i < external_arguments(call); i++)
                connect_value(g, LLVMGetOperand(call, i), at, EDGE_ARGUMENT);
        for (uint32_t k = 0; k < c->callees.n; k++) {
                const struct function *f = &p->all.at[c->callees.at[k]];
                add_edge(g, at, program_index(&g->of, f->value), EDGE_CALL);
        }
}

/* Parameters and returned values of all calls, those that start threads among them. */
static void connect_callers(struct graph *g)
{
        struct program *p = g->program;

        for (uint32_t k = 0; k < p->all.n; k++) {
                const struct function *f = &p->all.at[k];
                for (uint32_t i = 0; i < f->callers.n; i++) {
                        const struct call *c = &p->each_call.at[f->callers.at[i]];
                        uint32_t site = program_index(&g->of, c->instruction);
                        for (unsigned n = 0;
                             n < LLVMCountParams(f->value) && n + c->first < external_arguments(c->instruction); n++)
                                connect_value(g, LLVMGetOperand(c->instruction, n + c->first),
                                              program_index(&g->of, LLVMGetParam(f->value, n)), EDGE_PARAMETER);
                        if (c->starts && site != UINT32_MAX)
                                add_edge(g, site, program_index(&g->of, f->value), EDGE_CALL);
                }
        }
}

static void connect_return(struct graph *g, uint32_t at)
{
        const struct site *s = &g->sites.at[at];
        const struct function *f = &g->program->all.at[s->function];

        connect_value(g, LLVMGetOperand(s->value, 0), at, EDGE_DATA);
        for (uint32_t i = 0; i < f->callers.n; i++) {
                const struct call *c = &g->program->each_call.at[f->callers.at[i]];
                uint32_t site = program_index(&g->of, c->instruction);
                if (!c->starts && site != UINT32_MAX)
                        add_edge(g, at, site, EDGE_RETURN);
        }
}

static void connect_site(struct graph *g, uint32_t at)
{
        struct site s = g->sites.at[at];

        if (s.access != UINT32_MAX) {
                const struct access *a = &g->program->accesses.at[s.access];
                connect_value(g, a->address, at, EDGE_ADDRESS);
                connect_value(g, a->source, at, EDGE_ADDRESS);
                if (a->kind == ACCESS_COPY || a->kind == ACCESS_SET)
                        connect_value(g, LLVMGetOperand(s.value, 2), at, EDGE_ARGUMENT);
                for (int i = 1; a->kind == ACCESS_UPDATE && i < LLVMGetNumOperands(s.value); i++)
                        connect_value(g, LLVMGetOperand(s.value, (unsigned)i), at, EDGE_DATA);
                if (a->kind != ACCESS_UPDATE)
                        connect_value(g, a->value, at, EDGE_DATA);
        } else if (s.kind == SITE_BRANCH) {
                LLVMOpcode o = LLVMGetInstructionOpcode(s.value);
                connect_value(g, o == LLVMBr ? LLVMGetCondition(s.value) : LLVMGetOperand(s.value, 0), at, EDGE_DATA);
        } else if (s.kind == SITE_CALL) {
                connect_call(g, at);
        } else if (s.kind == SITE_RETURN) {
                connect_return(g, at);
        }
}

static void connect_control(struct graph *g)
{
        for (uint32_t f = 0; f < g->program->all.n; f++) {
                struct control c;

                if (!g->program->all.at[f].reached)
                        continue;
                control_init(&c, g->program->all.at[f].value);
                for (uint32_t k = 0; k < c.edges.n; k++) {
                        LLVMValueRef last = LLVMGetBasicBlockTerminator(c.edges.at[k].branch);
                        uint32_t from = program_index(&g->of, last), to;
                        for (LLVMValueRef i = LLVMGetFirstInstruction(c.edges.at[k].block); i && from != UINT32_MAX;
                             i = LLVMGetNextInstruction(i))
                                if ((to = program_index(&g->of, i)) != UINT32_MAX)
                                        add_edge(g, from, to, EDGE_CONTROL);
                }
                control_fini(&c);
        }
}

struct use {
        uint32_t site, loc, size;
};

/* Accesses of one object: those that write, and those that read. */
struct uses {
        VEC(struct use) writers;
        VEC(struct use) readers;
};

static void add_uses(struct graph *g, struct uses *all, uint32_t site, LLVMValueRef address, uint32_t size, bool writes)
{
        struct points *p = &g->program->points;
        const struct node *n = &p->nodes.at[values_node(g->program, address)];

        for (uint32_t i = 0; i < n->locs.n; i++) {
                struct uses *u = &all[p->cells.locs.at[n->locs.at[i]].object];
                if (writes) {
                        vec_need(&u->writers, 1);
                        *vec_push(&u->writers) = (struct use){site, n->locs.at[i], size};
                } else {
                        vec_need(&u->readers, 1);
                        *vec_push(&u->readers) = (struct use){site, n->locs.at[i], size};
                }
        }
}

static void connect_object(struct graph *g, const struct uses *u)
{
        const struct cells *c = &g->program->points.cells;

        if ((uint64_t)u->writers.n * u->readers.n > MOST_PAIRS) {
                g->omitted += (uint64_t)u->writers.n * u->readers.n;
                return;
        }
        for (uint32_t i = 0; i < u->writers.n; i++)
                for (uint32_t k = 0; k < u->readers.n; k++)
                        if (cells_overlap(c->locs.at[u->writers.at[i].loc], u->writers.at[i].size,
                                          c->locs.at[u->readers.at[k].loc], u->readers.at[k].size))
                                add_edge(g, u->writers.at[i].site, u->readers.at[k].site, EDGE_MEMORY);
}

static void connect_memory(struct graph *g)
{
        uint32_t n = g->program->points.cells.objects.n;
        struct uses *all = calloc(n, sizeof *all);

        if (!all)
                memory_out();
        for (uint32_t i = 0; i < g->program->accesses.n; i++) {
                const struct access *a = &g->program->accesses.at[i];
                uint32_t site = program_index(&g->of, a->instruction);

                if (site == UINT32_MAX)
                        continue;
                if (a->kind != ACCESS_READ && a->kind != ACCESS_IN)
                        add_uses(g, all, site, a->address, a->size, true);
                if (a->kind == ACCESS_READ || a->kind == ACCESS_UPDATE || a->kind == ACCESS_IN)
                        add_uses(g, all, site, a->address, a->size, false);
                if (a->source)
                        add_uses(g, all, site, a->source, a->size, false);
        }
        for (uint32_t i = 0; i < n; i++) {
                connect_object(g, &all[i]);
                vec_fini(&all[i].writers);
                vec_fini(&all[i].readers);
        }
        free(all);
}

static int by_edge(const void *a, const void *b)
{
        const struct edge *x = a, *y = b;

        if (x->from != y->from)
                return x->from < y->from ? -1 : 1;
        if (x->to != y->to)
                return x->to < y->to ? -1 : 1;
        return x->kind - y->kind;
}

void graph_connect(struct graph *g)
{
        uint32_t n = 0;

        for (uint32_t i = 0; i < g->sites.n; i++)
                connect_site(g, i);
        connect_callers(g);
        connect_control(g);
        connect_memory(g);
        if (!g->edges.n)
                return;
        qsort(g->edges.at, g->edges.n, sizeof *g->edges.at, by_edge);
        for (uint32_t i = 0; i < g->edges.n; i++)
                if (!i || by_edge(&g->edges.at[i], &g->edges.at[n - 1]) != 0)
                        g->edges.at[n++] = g->edges.at[i];
        g->edges.n = n;
}

void graph_object(const struct graph *g, const struct site *s, char *text, size_t room)
{
        struct program *p = g->program;
        const struct node *n;
        struct loc l;
        size_t length;

        text[0] = '\0';
        if (s->access == UINT32_MAX)
                return;
        n = &p->points.nodes.at[values_node(p, p->accesses.at[s->access].address)];
        if (n->locs.n != 1)
                return;
        l = p->points.cells.locs.at[n->locs.at[0]];
        const struct object *o = &p->points.cells.objects.at[l.object];
        if (o->kind == OBJECT_HEAP)
                snprintf(text, room, "heap");
        else if (o->value)
                snprintf(text, room, "%s", LLVMGetValueName2(o->value, &length));
        if (text[0] && l.offset)
                snprintf(text + strlen(text), room - strlen(text), "+%d", l.offset);
        if (text[0] && l.stride)
                snprintf(text + strlen(text), room - strlen(text), "[]");
}
