/* See solve.h. */
#include "static/solve.h"

#include <stdio.h>
#include <string.h>

#include "instrument/pass.h"
#include "static/blocks.h"
#include "static/constraints.h"
#include "static/external.h"
#include "static/values.h"

static void add_function(struct program *p, LLVMValueRef f)
{
        bool variable = LLVMIsFunctionVarArg(LLVMGlobalGetValueType(f));

        vec_need(&p->all, 1);
        *vec_push(&p->all) = (struct function){.value = f,
                                               .object = values_object(p, f, OBJECT_FUNCTION),
                                               .result = points_node(&p->points),
                                               .rest = variable ? points_node(&p->points) : POINTS_EMPTY,
                                               .list = variable ? cells_object(&p->points.cells, OBJECT_LOCAL, NULL)
                                                                : CELLS_UNKNOWN};
        program_insert(&p->functions, f, p->all.n - 1);
}

/* Does unknown code reach this symbol by its name? */
static bool reached(const struct program *p, LLVMValueRef v)
{
        LLVMLinkage l = LLVMGetLinkage(v);
        const char *section = LLVMGetSection(v);
        size_t n;
        const char *name = LLVMGetValueName2(v, &n);

        if (pass_begins(name, "llvm.global_"))
                return true; /* constructors and destructors */
        if (pass_begins(name, "llvm."))
                return false;
        if (!LLVMIsAFunction(v) && (LLVMIsDeclaration(v) || (section && section[0])))
                return true;
        if (!p->whole && l != LLVMInternalLinkage && l != LLVMPrivateLinkage)
                return true;
        for (uint32_t i = 0; i < p->ir->whole.exported.all.n; i++)
                if (strcmp(p->ir->whole.exported.all.at[i], name) == 0)
                        return true;
        LLVMGetModuleInlineAsm(p->ir->module, &n);
        return n > 0;
}

/* A function of --final, which is not static; in C++ it has neither parameters nor a namespace. */
static bool is_called(LLVMValueRef f, char *const *called)
{
        size_t n;
        const char *name = LLVMGetValueName2(f, &n);
        char mangled[256];

        for (; *called; called++) {
                snprintf(mangled, sizeof mangled, "_Z%zu%sv", strlen(*called), *called);
                if (strcmp(name, *called) == 0 || strcmp(name, mangled) == 0)
                        return true;
        }
        return false;
}

static void reach(struct program *p, char *const *called)
{
        for (LLVMValueRef g = LLVMGetFirstGlobal(p->ir->module); g; g = LLVMGetNextGlobal(g))
                if (reached(p, g))
                        points_copy(&p->points, values_node(p, g), POINTS_ESCAPED);
        for (uint32_t i = 0; i < p->all.n; i++) {
                LLVMValueRef f = p->all.at[i].value;
                size_t n;

                if (strcmp(LLVMGetValueName2(f, &n), "main") == 0 || reached(p, f) || is_called(f, called))
                        points_copy(&p->points, values_node(p, f), POINTS_ESCAPED);
        }
        for (LLVMValueRef a = LLVMGetFirstGlobalAlias(p->ir->module); a; a = LLVMGetNextGlobalAlias(a))
                if (reached(p, a))
                        points_copy(&p->points, values_node(p, a), POINTS_ESCAPED);
}

/* Without a linked program, a function that is neither here nor in calls.def may be in another object. */
static void find_whole(struct program *p)
{
        p->whole = true;
        if (p->ir->whole.foreign) {
                p->whole = false;
                p->not_whole = p->ir->whole.foreign_name;
        } else if (!LLVMGetNamedFunction(p->ir->module, "main")) {
                p->whole = false;
                p->not_whole = "main";
        }
        for (LLVMValueRef f = LLVMGetFirstFunction(p->ir->module); f && p->whole && !p->ir->program;
             f = LLVMGetNextFunction(f)) {
                size_t n;
                const char *name = LLVMGetValueName2(f, &n);

                if (LLVMIsDeclaration(f) && !pass_begins(name, "llvm.") && !calls_find(name) && LLVMGetFirstUse(f)) {
                        p->whole = false;
                        p->not_whole = name;
                }
        }
}

void solve_program(struct program *p, struct ir *ir, char *const *called, uint64_t limit)
{
        memset(p, 0, sizeof *p);
        p->ir = ir;
        points_init(&p->points);
        p->points.called = external_called;
        p->points.owner = p;
        p->threads = points_node(&p->points);
        p->exits = points_node(&p->points);
        p->sent = points_node(&p->points);
        p->given = cells_object(&p->points.cells, OBJECT_LOCAL, NULL);
        uint32_t given = cells_loc(&p->points.cells, p->given, 0, 1),
                 cell = points_cell(&p->points, given, CELLS_WHOLE);
        points_add(&p->points, p->points.cells.cells.at[cell].in, given);
        p->points.most = limit;
        find_whole(p);
        for (LLVMValueRef f = LLVMGetFirstFunction(ir->module); f; f = LLVMGetNextFunction(f))
                if (!LLVMIsDeclaration(f))
                        add_function(p, f);
        for (LLVMValueRef g = LLVMGetFirstGlobal(ir->module); g; g = LLVMGetNextGlobal(g))
                constraints_variable(p, g);
        reach(p, called);
        p->solved = points_solve(&p->points); /* what has escaped needs no set of its own */
        for (uint32_t done = 0; p->solved && (done < p->reached.n || blocks_divide(p));) {
                while (done < p->reached.n)
                        constraints_function(p, p->reached.at[done++]);
                p->solved = points_solve(&p->points);
        }
        for (uint32_t i = 0; i < p->all.n && !p->solved; i++)
                if (!p->all.at[i].reached) /* its accesses count */
                        constraints_function(p, i);
}
