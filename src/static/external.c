/* See external.h. */
#include "static/external.h"

#include <string.h>

#include "static/assembly.h"
#include "static/blocks.h"
#include "static/formats.h"
#include "static/threads.h"
#include "static/values.h"

static bool begins(const char *name, const char *with)
{
        return strncmp(name, with, strlen(with)) == 0;
}

unsigned external_arguments(LLVMValueRef call)
{
        return LLVMGetNumArgOperands(call);
}

/* Results that may hold a pointer. */
static bool may_point(const struct program *p, LLVMTypeRef t)
{
        return LLVMTypeIsSized(t) && LLVMStoreSizeOfType(p->ir->layout, t) >= 8;
}

/* Functions of C++'s library for all but files and numbers. */
static bool is_plain_cxx(const char *name)
{
        static const char *const others[] = {"_ZS", "_ZNS",   "_ZNKS",  "_ZTh",    "_Zn",
                                             "_Zd", "__cxa_", "__gxx_", "_Unwind_"};

        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
                if (begins(name, others[i]))
                        return true;
        return false;
}

/* May it look at flags of floating-point operations, or at what makes them trap? */
static bool sees_environment(LLVMValueRef callee)
{
        size_t n;
        const char *name = callee ? LLVMGetValueName2(callee, &n) : "";

        if (is_plain_cxx(name))
                return false;
        return !begins(name, "llvm.") || strstr(name, "csr") || strstr(name, "fpenv") || strstr(name, "fpmode");
}

/* May it read what was written to a file or pipe, or write there what unknown code has?  Streams of C++ do: "_ZNS", "_ZSt". */
static bool sees_files(LLVMValueRef call)
{
        const char *name = program_callee_name(call);

        return !LLVMIsAInlineAsm(LLVMGetCalledValue(call)) && !begins(name, "llvm.") &&
               (!is_plain_cxx(name) || strstr(name, "stream") || strstr(name, "StrsI") || strstr(name, "StlsI") ||
                begins(name, "_ZNSi") || begins(name, "_ZNSo") || begins(name, "_ZNSd") || strstr(name, "buf"));
}

static void unknown(struct program *p, LLVMValueRef call, unsigned first)
{
        if (LLVMIsAInlineAsm(LLVMGetCalledValue(call)) ? assembly_sees_environment(LLVMGetCalledValue(call))
                                                       : sees_environment(program_callee(call)))
                p->environment = true;
        if (sees_files(call)) {
                points_copy(&p->points, p->sent, POINTS_ESCAPED);
                points_add(&p->points, p->sent, CELLS_UNKNOWN);
        }
        for (unsigned i = first; i < external_arguments(call); i++)
                points_copy(&p->points, values_node(p, LLVMGetOperand(call, i)), POINTS_ESCAPED);
        if (may_point(p, LLVMTypeOf(call)))
                points_add(&p->points, blocks_others(p, call), CELLS_UNKNOWN);
}

static uint32_t add_call(struct program *p, LLVMValueRef call, unsigned first, bool starts)
{
        vec_need(&p->each_call, 1);
        *vec_push(&p->each_call) = (struct call){.instruction = call, .first = first, .starts = starts};
        if (!starts && ptrmap_insert(&p->calls, (uintptr_t)call, (void *)(uintptr_t)p->each_call.n))
                memory_out();
        return p->each_call.n - 1;
}

/* The arguments and the result of a call of a function with a body. */
static void connect(struct program *p, uint32_t at, uint32_t function)
{
        struct call *c = &p->each_call.at[at];
        struct function *f = &p->all.at[function];
        unsigned n = external_arguments(c->instruction), params = LLVMCountParams(f->value);

        for (uint32_t i = 0; i < c->callees.n; i++)
                if (c->callees.at[i] == function)
                        return;
        vec_need(&c->callees, 1);
        *vec_push(&c->callees) = function;
        vec_need(&f->callers, 1);
        *vec_push(&f->callers) = at;
        for (unsigned i = c->first; i < n; i++) {
                uint32_t node = values_node(p, LLVMGetOperand(c->instruction, i));
                points_copy(&p->points, node,
                            i - c->first < params ? values_node(p, LLVMGetParam(f->value, i - c->first)) : f->rest);
        }
        points_copy(&p->points, f->result, c->starts ? threads_joined(p, c) : blocks_others(p, c->instruction));
        program_reach(p, function);
}

static void escaped(struct program *p, uint32_t function)
{
        LLVMValueRef f = p->all.at[function].value;

        for (unsigned i = 0; i < LLVMCountParams(f); i++)
                points_add(&p->points, values_node(p, LLVMGetParam(f, i)), CELLS_UNKNOWN);
        if (p->all.at[function].list != CELLS_UNKNOWN)
                points_add(&p->points, p->all.at[function].rest, CELLS_UNKNOWN);
        points_copy(&p->points, p->all.at[function].result, POINTS_ESCAPED);
        program_reach(p, function);
}

void external_access(struct program *p, struct escapes *known, struct access a)
{
        a.private = escape_private(known, a.address) && (!a.source || escape_private(known, a.source));
        values_node(p, a.address); /* made before constraints are solved */
        if (a.source)
                values_node(p, a.source);
        vec_need(&p->accesses, 1);
        *vec_push(&p->accesses) = a;
}

static void note(struct program *p, struct escapes *known, uint8_t kind, LLVMValueRef call, unsigned at,
                 LLVMValueRef source, LLVMValueRef value, uint32_t size)
{
        external_access(p, known,
                        (struct access){.instruction = call,
                                        .address = LLVMGetOperand(call, at),
                                        .source = source,
                                        .value = value,
                                        .size = size,
                                        .kind = kind});
}

static uint32_t length(LLVMValueRef call, unsigned at)
{
        LLVMValueRef n = at < external_arguments(call) ? LLVMIsAConstantInt(LLVMGetOperand(call, at)) : NULL;
        uint64_t bytes = n ? LLVMConstIntGetZExtValue(n) : CELLS_WHOLE;

        return bytes < CELLS_FAR ? (uint32_t)bytes : CELLS_WHOLE;
}

static void copy(struct program *p, struct escapes *known, LLVMValueRef call, uint32_t size)
{
        uint32_t to = values_node(p, LLVMGetOperand(call, 0)), from = values_node(p, LLVMGetOperand(call, 1));

        note(p, known, ACCESS_COPY, call, 0, LLVMGetOperand(call, 1), NULL, size);
        points_constrain(&p->points, from, (struct constraint){C_FROM, to, 0, 0});
        points_constrain(&p->points, to, (struct constraint){C_TO, from, 0, 0});
}

static void store_unknown(struct program *p, LLVMValueRef address)
{
        uint32_t node = points_node(&p->points);

        points_add(&p->points, node, CELLS_UNKNOWN);
        points_constrain(&p->points, values_node(p, address),
                         (struct constraint){C_STORE, node, (int32_t)CELLS_WHOLE, 0});
}

/* va_start: the list points to memory that holds the variable arguments of the function. */
static void store_rest(struct program *p, LLVMValueRef call)
{
        LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
        const struct function *is = &p->all.at[program_index(&p->functions, f)];
        uint32_t loc = cells_loc(&p->points.cells, is->list, 0, 1), list = points_node(&p->points);
        uint32_t cell = points_cell(&p->points, loc, CELLS_WHOLE);

        points_copy(&p->points, is->rest, p->points.cells.cells.at[cell].in);
        points_add(&p->points, list, loc);
        points_constrain(&p->points, values_node(p, LLVMGetOperand(call, 0)),
                         (struct constraint){C_STORE, list, (int32_t)CELLS_WHOLE, 0});
}

/* Memory is read, and sent to a file or pipe. */
static void send(struct program *p, struct escapes *known, LLVMValueRef call, unsigned at)
{
        note(p, known, ACCESS_IN, call, at, NULL, NULL, CELLS_WHOLE);
        points_constrain(&p->points, values_node(p, LLVMGetOperand(call, at)),
                         (struct constraint){C_LOAD, p->sent, (int32_t)CELLS_WHOLE, 0});
}

static void argument(struct program *p, struct escapes *known, const struct known_call *row, LLVMValueRef call,
                     unsigned i)
{
        LLVMValueRef a = LLVMGetOperand(call, i);

        switch (calls_letter(row, i)) {
        case 'r': note(p, known, ACCESS_IN, call, i, NULL, NULL, CELLS_WHOLE); break;
        case 'b': note(p, known, ACCESS_IN, call, i, NULL, NULL, CELLS_WHOLE); /* fallthrough */
        case 'p': store_unknown(p, a);                                         /* fallthrough */
        case 'w': note(p, known, ACCESS_OUT, call, i, NULL, NULL, CELLS_WHOLE); break;
        case 's': send(p, known, call, i); break;
        case 'q': {
                unsigned first = (unsigned)strlen(row->arguments) - 1; /* the format is before it */
                char how = formats_conversion(LLVMGetOperand(call, first - 1), i - first);
                if (!how || how == 's')
                        send(p, known, call, i);
                if (how != 's')
                        values_flow(p, a, p->sent);
                break;
        }
        case 'k': values_flow(p, a, p->sent); break;
        case 'f':
                note(p, known, ACCESS_OUT, call, i, NULL, NULL, CELLS_WHOLE);
                points_constrain(&p->points, values_node(p, a),
                                 (struct constraint){C_STORE, p->sent, (int32_t)CELLS_WHOLE, 0});
                break;
        case 'a':
                note(p, known, ACCESS_IN, call, i, NULL, NULL, CELLS_WHOLE);
                note(p, known, ACCESS_OUT, call, i, NULL, NULL, CELLS_WHOLE);
                break;
        case 'x': points_copy(&p->points, values_node(p, a), POINTS_ESCAPED); break;
        case 'c': copy(p, known, call, CELLS_WHOLE); break;
        case 'l':
                copy(p, known, call, CELLS_WHOLE);
                p->accesses.at[p->accesses.n - 1].counts = true;
                break;
        case 'e': values_flow(p, a, p->exits); break;
        case 'i':
                threads_create(p, call, a);
                note(p, known, ACCESS_OUT, call, i, NULL, NULL, CELLS_WHOLE);
                break;
        case 'j':
                threads_join(p, call);
                note(p, known, ACCESS_OUT, call, i, NULL, NULL, CELLS_WHOLE);
                break;
        case 't':
                if (i + 1 < external_arguments(call))
                        points_constrain(&p->points, values_node(p, a),
                                         (struct constraint){C_CALL, add_call(p, call, i + 1, true), 0, 0});
                break;
        default: break;
        }
}

static void listed(struct program *p, struct escapes *known, const struct known_call *row, uint32_t at)
{
        LLVMValueRef call = p->each_call.at[at].instruction;
        unsigned n = external_arguments(call);
        uint32_t node = blocks_others(p, call);

        p->each_call.at[at].listed = true;
        for (unsigned i = 0; i < n; i++)
                argument(p, known, row, call, i);
        if (row->result == 'h')
                p->each_call.at[at].allocates = true;
        if (row->result == 'h' || row->result == 'g')
                points_add(&p->points, row->result == 'h' ? values_node(p, call) : node,
                           cells_loc(&p->points.cells, values_object(p, call, OBJECT_HEAP), 0, 0));
        if ((row->result == '0' || row->result == 'g' || row->result == 'm') &&
            n) /* the same object: functions that search return a part of it, and memory may be mapped over it */
                points_constrain(
                        &p->points, values_node(p, LLVMGetOperand(call, 0)),
                        (struct constraint){C_SHIFT, node, 0, row->result == '0' && calls_letter(row, 0) == 'r'});
        if (row->result == 'i')
                points_copy(&p->points, p->threads, node);
        if (row->result == 'k')
                points_copy(&p->points, p->sent, node);
        if (row->result == 'm')
                points_add(&p->points, node, cells_loc(&p->points.cells, p->given, 0, 1));
        if (row->result == 'u')
                points_add(&p->points, node, CELLS_UNKNOWN);
}

/* true: it was one that is known. */
static bool intrinsic(struct program *p, struct escapes *known, LLVMValueRef f, const char *name, LLVMValueRef call)
{
        if (begins(name, "llvm.memcpy.") || begins(name, "llvm.memmove.")) {
                copy(p, known, call, length(call, 2));
        } else if (begins(name, "llvm.memset.")) {
                note(p, known, ACCESS_SET, call, 0, NULL, LLVMGetOperand(call, 1), length(call, 2));
        } else if (strcmp(name, "llvm.va_start") == 0 || begins(name, "llvm.va_start.")) {
                store_rest(p, call);
        } else if (begins(name, "llvm.va_copy")) {
                copy(p, known, call, CELLS_WHOLE);
        } else if (program_is_pure(f) && !program_is_marker(name)) {
                for (unsigned i = 0; i < external_arguments(call); i++)
                        points_constrain(&p->points, values_node(p, LLVMGetOperand(call, i)),
                                         (struct constraint){C_SHIFT, values_node(p, call), 0, 1});
        } else {
                return program_is_marker(name);
        }
        return true;
}

static bool returns_twice(LLVMValueRef call, LLVMValueRef f)
{
        static const char attribute[] = "returns_twice";
        unsigned kind = LLVMGetEnumAttributeKindForName(attribute, strlen(attribute)),
                 all = (unsigned)LLVMAttributeFunctionIndex;

        return LLVMGetCallSiteEnumAttribute(call, all, kind) || (f && LLVMGetEnumAttributeAtIndex(f, all, kind));
}

void external_call(struct program *p, struct escapes *known, struct function *f, LLVMValueRef call)
{
        LLVMValueRef callee = program_callee(call);
        const char *name = program_callee_name(call);
        const struct known_call *row = callee && LLVMIsDeclaration(callee) ? calls_find(name) : NULL;
        uint32_t function = callee ? program_index(&p->functions, callee) : UINT32_MAX;

        if (returns_twice(call, callee))
                f->everything = true;
        if (begins(name, "llvm.") && intrinsic(p, known, callee, name, call))
                return;
        uint32_t at = add_call(p, call, 0, false);
        if (function != UINT32_MAX) {
                connect(p, at, function);
        } else if (row) {
                listed(p, known, row, at);
        } else if (callee || LLVMIsAInlineAsm(LLVMGetCalledValue(call))) {
                p->each_call.at[at].unknown = true;
                unknown(p, call, 0);
                if (!callee)
                        assembly_names(p, LLVMGetCalledValue(call));
        } else {
                points_constrain(&p->points, values_node(p, LLVMGetCalledValue(call)),
                                 (struct constraint){C_CALL, at, 0, 0});
        }
}

/* Passed in the same registers? */
static bool same_class(LLVMTypeRef a, LLVMTypeRef b)
{
        LLVMTypeKind x = LLVMGetTypeKind(a), y = LLVMGetTypeKind(b);
        bool number = x == LLVMFloatTypeKind || x == LLVMDoubleTypeKind,
             other = y == LLVMFloatTypeKind || y == LLVMDoubleTypeKind;

        return number == other;
}

/*
 * May a call through a pointer be of this function?  A call with more arguments works, in practice; one with fewer reads what
 * nobody has passed, and one with a number in another kind of register, too.
 */
static bool fits(const struct call *c, LLVMValueRef function)
{
        LLVMTypeRef type = LLVMGlobalGetValueType(function), result = LLVMGetReturnType(type);
        unsigned n = LLVMCountParams(function);

        if (c->starts)
                return true;
        if (n > external_arguments(c->instruction) ||
            (LLVMGetTypeKind(result) == LLVMVoidTypeKind && LLVMGetFirstUse(c->instruction)))
                return false;
        for (unsigned i = 0; i < n; i++)
                if (!same_class(LLVMTypeOf(LLVMGetParam(function, i)), LLVMTypeOf(LLVMGetOperand(c->instruction, i))))
                        return false;
        return true;
}

void external_called(void *owner, uint32_t call, uint32_t object)
{
        struct program *p = owner;
        const struct object *o = &p->points.cells.objects.at[object];
        size_t n;
        const struct known_call *row = o->kind == OBJECT_FUNCTION ? calls_find(LLVMGetValueName2(o->value, &n)) : NULL;
        uint32_t function = o->value ? program_index(&p->functions, o->value) : UINT32_MAX;

        if (call == UINT32_MAX) {
                if (function != UINT32_MAX)
                        escaped(p, function);
        } else if (function != UINT32_MAX) {
                if (fits(&p->each_call.at[call], o->value))
                        connect(p, call, function);
        } else if (row && !p->each_call.at[call].starts) {
                struct escapes known = {0};
                listed(p, &known, row, call);
                escape_fini(&known);
        } else if (object == CELLS_UNKNOWN || o->kind == OBJECT_FUNCTION) {
                p->each_call.at[call].unknown = true;
                unknown(p, p->each_call.at[call].instruction, p->each_call.at[call].first);
        }
}
