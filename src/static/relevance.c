/* See relevance.h. */
#include "static/relevance.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instrument/pass.h"
#include "static/external.h"
#include "static/values.h"

struct writer {
        uint32_t access, loc;
};

/* Accesses that write an object, and where. */
struct writers {
        VEC(struct writer) at;
};

struct demand {
        struct loc at;
        uint32_t size;
};

/* Memory of an object that is read where it matters. */
struct demands {
        VEC(struct demand) at;
};

const char *relevance_edge_name(enum edge_kind kind)
{
        static const char *const names[EDGE_KINDS] = {"data",   "branch",    "address", "argument",
                                                      "return", "parameter", "memory",  "unknown",
                                                      "heap",   "observed",  "control", "call"};

        return names[kind];
}

uint32_t relevance_mark(const struct relevance *r, LLVMValueRef v)
{
        return program_index(&r->marked, v);
}

uint32_t relevance_access(const struct relevance *r, LLVMValueRef v)
{
        return program_index(&r->accesses, v);
}

static bool dropped(const struct relevance *r, enum edge_kind kind)
{
        return r->dropped && strcmp(r->dropped, relevance_edge_name(kind)) == 0;
}

static void mark(struct relevance *r, LLVMValueRef v, LLVMValueRef use, uint32_t next, enum edge_kind kind)
{
        if (!v || dropped(r, kind) || (!LLVMIsAInstruction(v) && !LLVMIsAArgument(v)) ||
            relevance_mark(r, v) != UINT32_MAX)
                return;
        vec_need(&r->marks, 1);
        *vec_push(&r->marks) = (struct mark){v, use, next, (uint8_t)kind};
        if (ptrmap_insert(&r->marked, (uintptr_t)v, (void *)(uintptr_t)r->marks.n))
                memory_out();
}

static void demand_pointed(struct relevance *r, LLVMValueRef address, uint32_t size, uint32_t next,
                           enum edge_kind kind);

/* What an access writes is relevant. */
static void write_matters(struct relevance *r, uint32_t access, uint32_t next, enum edge_kind kind)
{
        const struct access *a = &r->program->accesses.at[access];

        if (r->relevant[access])
                return;
        r->relevant[access] = 1;
        r->why[access] = next;
        mark(r, a->value, a->instruction, next, kind);
        if (a->kind == ACCESS_UPDATE) {
                mark(r, a->instruction, a->instruction, next, kind);
                for (int i = 1; i < LLVMGetNumOperands(a->instruction); i++)
                        mark(r, LLVMGetOperand(a->instruction, (unsigned)i), a->instruction, next, kind);
        }
        if (a->kind == ACCESS_COPY)
                demand_pointed(r, a->source, a->size, next, kind);
}

/* Memory that is read where it matters: whatever is written there matters, too. */
static void demand(struct relevance *r, uint32_t object, struct loc at, uint32_t size, uint32_t next,
                   enum edge_kind kind)
{
        struct demands *d = &r->demands[object];
        const struct writers *w = &r->writers[object];

        for (uint32_t i = 0; i < d->at.n; i++)
                if (d->at.at[i].size == CELLS_WHOLE ||
                    (d->at.at[i].size == size && d->at.at[i].at.offset == at.offset &&
                     d->at.at[i].at.stride == at.stride))
                        return;
        if (dropped(r, kind))
                return;
        vec_need(&d->at, 1);
        *vec_push(&d->at) = (struct demand){at, size};
        for (uint32_t i = 0; i < w->at.n; i++) {
                const struct writer *one = &w->at.at[i];
                if (cells_overlap(at, size, r->program->points.cells.locs.at[one->loc],
                                  r->program->accesses.at[one->access].size))
                        write_matters(r, one->access, next, kind);
        }
}

static void demand_pointed(struct relevance *r, LLVMValueRef address, uint32_t size, uint32_t next, enum edge_kind kind)
{
        struct program *p = r->program;
        uint32_t node = values_node(p, address);

        for (uint32_t i = 0; i < p->points.nodes.at[node].locs.n; i++) {
                struct loc l = p->points.cells.locs.at[p->points.nodes.at[node].locs.at[i]];
                if (l.object != CELLS_UNKNOWN)
                        demand(r, l.object, l, size, next, kind);
        }
}

static void demand_whole(struct relevance *r, uint32_t object, enum edge_kind kind)
{
        demand(r, object, (struct loc){object, 0, 1}, CELLS_WHOLE, UINT32_MAX, kind);
}

/* The accesses that write each object. */
static void find_writers(struct relevance *r)
{
        struct program *p = r->program;

        for (uint32_t a = 0; a < p->accesses.n; a++) {
                const struct access *is = &p->accesses.at[a];
                uint32_t node = values_node(p, is->address);

                if (is->kind == ACCESS_READ || is->kind == ACCESS_IN)
                        continue;
                for (uint32_t i = 0; i < p->points.nodes.at[node].locs.n; i++) {
                        uint32_t loc = p->points.nodes.at[node].locs.at[i],
                                 object = p->points.cells.locs.at[loc].object;
                        if (object == CELLS_UNKNOWN)
                                continue;
                        vec_need(&r->writers[object].at, 1);
                        *vec_push(&r->writers[object].at) = (struct writer){a, loc};
                }
        }
}

static void mark_operands(struct relevance *r, LLVMValueRef i, uint32_t next, enum edge_kind kind)
{
        for (int k = 0, n = LLVMGetNumOperands(i); k < n; k++)
                mark(r, LLVMGetOperand(i, (unsigned)k), i, next, kind);
}

/* Does a function that is called have no parameter for this argument? */
static bool is_variable(const struct program *p, const struct call *c, unsigned argument)
{
        for (uint32_t i = 0; i < c->callees.n; i++)
                if (argument >= LLVMCountParams(p->all.at[c->callees.at[i]].value))
                        return true;
        return false;
}

static bool is_number(LLVMTypeRef t)
{
        LLVMTypeKind k = LLVMGetTypeKind(t);

        if (k == LLVMVectorTypeKind)
                return is_number(LLVMGetElementType(t));
        return k >= LLVMHalfTypeKind && k <= LLVMPPC_FP128TypeKind;
}

/* May it set flags of the floating-point environment, or trap?  Numbers that are only moved do not. */
static bool counts(LLVMValueRef i)
{
        LLVMOpcode o = LLVMGetInstructionOpcode(i);
        bool computes = (o >= LLVMAdd && o <= LLVMFRem) || (o >= LLVMFPToUI && o <= LLVMFPExt) || o == LLVMFCmp ||
                        o == LLVMAtomicRMW || (o == LLVMCall && pass_begins(program_callee_name(i), "llvm."));

        for (int k = 0, n = computes ? LLVMGetNumOperands(i) : 0; k < n; k++)
                if (is_number(LLVMTypeOf(LLVMGetOperand(i, (unsigned)k))))
                        return true;
        return computes && is_number(LLVMTypeOf(i));
}

/* The arguments of a call that is not analysed: of a function outside, or one that unknown code may be behind. */
static void call_roots(struct relevance *r, LLVMValueRef i)
{
        const struct program *p = r->program;
        uint32_t at = program_index(&p->calls, i);
        const struct call *c = at == UINT32_MAX ? NULL : &p->each_call.at[at];
        LLVMValueRef callee = program_callee(i);
        const char *name = program_callee_name(i);
        bool marker = program_is_marker(name), analysed = c && c->callees.n && !c->unknown && !c->listed;

        if (!callee)
                mark(r, LLVMGetCalledValue(i), i, UINT32_MAX, EDGE_ADDRESS);
        if (marker || (!c && program_is_pure(callee)))
                return;
        for (unsigned k = 0; k < external_arguments(i); k++)
                if ((!analysed || is_variable(p, c, k)) && !(k == 1 && strncmp(name, "llvm.memset", 11) == 0))
                        mark(r, LLVMGetOperand(i, k), i, UINT32_MAX,
                             strncmp(name, "llvm.mem", 8) == 0 && k < 2 ? EDGE_ADDRESS : EDGE_ARGUMENT);
}

/* A read that optimisation has moved or merged: an execution cannot tell that it is irrelevant. */
static bool has_no_place(const struct function *f, LLVMValueRef i)
{
        return LLVMGetInstructionOpcode(i) == LLVMLoad && LLVMGetSubprogram(f->value) && !LLVMGetDebugLocLine(i);
}

static void roots(struct relevance *r, const struct function *f, LLVMValueRef i)
{
        LLVMOpcode o = LLVMGetInstructionOpcode(i);

        if (f->everything || has_no_place(f, i))
                mark(r, i, i, UINT32_MAX, EDGE_UNKNOWN);
        if (r->program->environment && counts(i))
                mark_operands(r, i, UINT32_MAX, EDGE_ARGUMENT);
        switch (o) {
        case LLVMBr:
                if (LLVMIsConditional(i))
                        mark(r, LLVMGetCondition(i), i, UINT32_MAX, EDGE_BRANCH);
                break;
        case LLVMSwitch:
        case LLVMIndirectBr: mark(r, LLVMGetOperand(i, 0), i, UINT32_MAX, EDGE_BRANCH); break;
        case LLVMLoad:
        case LLVMAtomicRMW:
        case LLVMAtomicCmpXchg: mark(r, LLVMGetOperand(i, 0), i, UINT32_MAX, EDGE_ADDRESS); break;
        case LLVMStore: mark(r, LLVMGetOperand(i, 1), i, UINT32_MAX, EDGE_ADDRESS); break;
        case LLVMUDiv:
        case LLVMSDiv:
        case LLVMURem:
        case LLVMSRem:
        case LLVMAlloca:
        case LLVMResume: mark_operands(r, i, UINT32_MAX, EDGE_ARGUMENT); break;
        case LLVMCall:
        case LLVMInvoke:
        case LLVMCallBr: call_roots(r, i); break;
        default: break;
        }
}

/* What calls of the table read and write, what may go to memory that unknown code reaches, and what is not understood. */
static void memory_roots(struct relevance *r)
{
        struct program *p = r->program;

        for (uint32_t i = 0; i < p->accesses.n; i++) {
                struct access *a = &p->accesses.at[i];
                uint32_t node = values_node(p, a->address);

                if (!p->points.nodes.at[node].locs.n)
                        r->relevant[i] = 1;
                if (a->kind != ACCESS_READ && a->kind != ACCESS_IN && points_has(&p->points, node, CELLS_UNKNOWN))
                        write_matters(r, i, UINT32_MAX, EDGE_UNKNOWN);
                if (a->counts)
                        write_matters(r, i, UINT32_MAX, EDGE_OBSERVED);
                if (a->kind == ACCESS_IN)
                        demand_pointed(r, a->address, CELLS_WHOLE, UINT32_MAX, EDGE_OBSERVED);
                if (a->kind == ACCESS_OUT) {
                        r->relevant[i] = 1;
                        r->why[i] = UINT32_MAX;
                }
        }
}

/* A cell that may hold a pointer to the heap, or one that is not known. */
static bool holds_heap(const struct program *p, const struct cell *c)
{
        const struct node *n = &p->points.nodes.at[c->in];

        for (uint32_t i = 0; i < n->locs.n; i++) {
                uint32_t object = p->points.cells.locs.at[n->locs.at[i]].object;
                if (object == CELLS_UNKNOWN || p->points.cells.objects.at[object].kind == OBJECT_HEAP)
                        return true;
        }
        return false;
}

/* Is the variable this part of a name of C++, which has its length before it? */
static bool is_mangled(const char *name, const char *part, size_t length)
{
        char want[24];
        int digits = snprintf(want, sizeof want, "%zu", length);

        for (const char *at = name; strncmp(name, "_Z", 2) == 0 && (at = strstr(at, want)); at++)
                if (strncmp(at + digits, part, length) == 0)
                        return true;
        return false;
}

/* A variable of a function is named function.variable, and linking adds a number. */
static bool is_named(LLVMValueRef v, const char *name)
{
        size_t n, length;
        const char *is = LLVMGetValueName2(v, &n);

        for (const char *next = strstr(name, "::"); next; next = strstr(name, "::"))
                name = next + 2;
        length = strcspn(name, ".[-");
        if (is_mangled(is, name, length))
                return true;
        for (; *is; is += strcspn(is, "."), is += *is == '.')
                if (strcspn(is, ".") == length && strncmp(is, name, length) == 0)
                        return true;
        return false;
}

/* What --observe names; if no variable is called so, any may be. */
static void observed_roots(struct relevance *r, const char *name)
{
        const struct cells *c = &r->program->points.cells;
        bool found = false;

        for (int all = 0; all < 2 && !found; all++)
                for (uint32_t i = 1; i < c->objects.n; i++)
                        if (c->objects.at[i].kind == OBJECT_GLOBAL && (all || is_named(c->objects.at[i].value, name))) {
                                demand_whole(r, i, EDGE_OBSERVED);
                                found = true;
                        }
}

static void object_roots(struct relevance *r, char *const *observed)
{
        struct program *p = r->program;

        for (uint32_t i = 1; i < p->points.cells.objects.n; i++) {
                const struct object *o = &p->points.cells.objects.at[i];
                if (o->escaped || i == p->given)
                        demand_whole(r, i, EDGE_UNKNOWN);
        }
        for (; observed && *observed; observed++)
                observed_roots(r, *observed);
        for (uint32_t i = 0; i < p->points.cells.cells.n; i++) {
                const struct cell *c = &p->points.cells.cells.at[i];
                if (holds_heap(p, c))
                        demand(r, c->at.object, c->at, c->size, UINT32_MAX, EDGE_HEAP);
        }
}

static void function_roots(struct relevance *r, const struct function *f)
{
        struct program *p = r->program;
        bool seen = p->points.cells.objects.at[f->object].escaped;

        for (uint32_t i = 0; i < f->callers.n; i++)
                seen |= p->each_call.at[f->callers.at[i]].starts;
        for (uint32_t i = 0; i < f->returns.n && seen; i++)
                mark(r, f->returns.at[i], f->returns.at[i], UINT32_MAX, EDGE_RETURN);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->value); b; b = LLVMGetNextBasicBlock(b))
                for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                        roots(r, f, i);
}

/* What a parameter may be. */
static void follow_parameter(struct relevance *r, LLVMValueRef v, uint32_t at)
{
        struct program *p = r->program;
        LLVMValueRef f = LLVMGetParamParent(v);
        const struct function *is = &p->all.at[program_index(&p->functions, f)];
        unsigned number = 0;

        while (LLVMGetParam(f, number) != v)
                number++;
        for (uint32_t i = 0; i < is->callers.n; i++) {
                const struct call *c = &p->each_call.at[is->callers.at[i]];
                if (number + c->first < external_arguments(c->instruction))
                        mark(r, LLVMGetOperand(c->instruction, number + c->first), c->instruction, at, EDGE_PARAMETER);
        }
}

static void follow_call(struct relevance *r, LLVMValueRef v, uint32_t at)
{
        struct program *p = r->program;
        uint32_t call = program_index(&p->calls, v);

        if (call == UINT32_MAX) { /* an intrinsic without memory */
                mark_operands(r, v, at, EDGE_DATA);
                return;
        }
        for (uint32_t i = 0; i < p->each_call.at[call].callees.n; i++) {
                const struct function *f = &p->all.at[p->each_call.at[call].callees.at[i]];
                for (uint32_t k = 0; k < f->returns.n; k++)
                        mark(r, f->returns.at[k], v, at, EDGE_RETURN);
        }
}

/* What a relevant value comes from. */
static void follow(struct relevance *r, uint32_t at)
{
        LLVMValueRef v = r->marks.at[at].value;

        if (LLVMIsAArgument(v)) {
                follow_parameter(r, v, at);
                return;
        }
        switch (LLVMGetInstructionOpcode(v)) {
        case LLVMLoad:
        case LLVMAtomicRMW:
        case LLVMAtomicCmpXchg: break; /* follow_reads() */
        case LLVMCall:
        case LLVMInvoke:
        case LLVMCallBr: follow_call(r, v, at); break;
        case LLVMPHI:
                for (unsigned i = 0; i < LLVMCountIncoming(v); i++)
                        mark(r, LLVMGetIncomingValue(v, i), v, at, EDGE_DATA);
                break;
        case LLVMAlloca: break;
        default: mark_operands(r, v, at, EDGE_DATA);
        }
}

static void follow_all(struct relevance *r)
{
        for (uint32_t at = 0; at < r->marks.n; at++) {
                uint32_t access = relevance_access(r, r->marks.at[at].value);
                const struct access *a = access == UINT32_MAX ? NULL : &r->program->accesses.at[access];

                if (a && (a->kind == ACCESS_READ || a->kind == ACCESS_UPDATE)) {
                        if (a->kind == ACCESS_READ) {
                                r->relevant[access] = 1;
                                r->why[access] = at;
                        }
                        demand_pointed(r, a->address, a->size, at, EDGE_MEMORY);
                }
                follow(r, at);
        }
}

void relevance_init(struct relevance *r, struct program *p, char *const *observed, const char *drop)
{
        uint32_t n = p->accesses.n + 1, objects = p->points.cells.objects.n;

        memset(r, 0, sizeof *r);
        r->program = p;
        r->dropped = drop;
        r->writers = calloc(objects, sizeof *r->writers);
        r->demands = calloc(objects, sizeof *r->demands);
        r->relevant = calloc(n, 1);
        r->why = malloc(n * sizeof *r->why);
        if (!r->writers || !r->demands || !r->relevant || !r->why)
                memory_out();
        memset(r->why, 0xff, n * sizeof *r->why);
        for (uint32_t i = 0; i < p->accesses.n; i++)
                if (relevance_access(r, p->accesses.at[i].instruction) == UINT32_MAX &&
                    ptrmap_insert(&r->accesses, (uintptr_t)p->accesses.at[i].instruction, (void *)(uintptr_t)(i + 1)))
                        memory_out();
        if (!p->solved) {
                memset(r->relevant, 1, n);
                return;
        }
        for (uint32_t i = 0; i < p->all.n; i++)
                if (p->all.at[i].reached)
                        function_roots(r, &p->all.at[i]);
        find_writers(r);
        memory_roots(r);
        object_roots(r, observed);
        follow_all(r);
}

void relevance_fini(struct relevance *r)
{
        for (uint32_t i = 0; i < r->program->points.cells.objects.n; i++) {
                vec_fini(&r->writers[i].at);
                vec_fini(&r->demands[i].at);
        }
        vec_fini(&r->marks);
        ptrmap_fini(&r->marked, NULL);
        ptrmap_fini(&r->accesses, NULL);
        free(r->writers);
        free(r->demands);
        free(r->relevant);
        free(r->why);
}
