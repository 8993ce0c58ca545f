/*
 * See solver.h.  The functions of Z3 that are used are a table (FUNCTIONS), found in the library by name.
 *
 * Terms are not counted: they live as long as their context, which is made again every CONTEXT questions.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <z3.h>

#include "base/vec.h"
#include "smt/solver.h"

#define CONTEXT 64u
#define MEMORY  "1024" /* megabytes */

#define FUNCTIONS(F)         \
        F(get_version)       \
        F(global_param_set)  \
        F(mk_config)         \
        F(del_config)        \
        F(mk_context)        \
        F(del_context)       \
        F(set_error_handler) \
        F(mk_int_sort)       \
        F(mk_fresh_const)    \
        F(mk_lt)             \
        F(mk_and)            \
        F(mk_or)             \
        F(mk_simple_solver)  \
        F(solver_inc_ref)    \
        F(solver_dec_ref)    \
        F(solver_reset)      \
        F(solver_assert)     \
        F(solver_check)      \
        F(mk_params)         \
        F(params_inc_ref)    \
        F(params_dec_ref)    \
        F(params_set_uint)   \
        F(mk_string_symbol)  \
        F(solver_set_params)

#define POINTER(name) __typeof__(Z3_##name) *name;
static struct {
        FUNCTIONS(POINTER)
        bool tried, there;
        char version[32];
} z3; /* of the process: the library is loaded once */

struct smt {
        Z3_context context;
        Z3_solver solver;
        Z3_sort time;
        VEC(Z3_ast) terms;
        VEC(Z3_ast) list;
        uint32_t milliseconds, asked;
};

static bool load(void)
{
        unsigned major, minor, build, revision;
        void *library;

        if (z3.tried)
                return z3.there;
        z3.tried = true;
        library = dlopen("libz3.so.4", RTLD_NOW | RTLD_LOCAL);
        if (!library)
                library = dlopen("libz3.so", RTLD_NOW | RTLD_LOCAL);
        if (!library)
                return false;
        z3.there = true;
#define FIND(name)                                                \
        *(void **)(void *)&z3.name = dlsym(library, "Z3_" #name); \
        z3.there &= z3.name != NULL;
        FUNCTIONS(FIND)
        if (!z3.there)
                return false;
        z3.get_version(&major, &minor, &build, &revision);
        snprintf(z3.version, sizeof z3.version, "%u.%u.%u", major, minor, build);
        z3.global_param_set("memory_max_size", MEMORY);
        return true;
}

const char *smt_version(void)
{
        return load() ? z3.version : NULL;
}

/* An error leaves the question without an answer. */
static void ignore(Z3_context context, Z3_error_code code)
{
        (void)context;
        (void)code;
}

static void set_limit(struct smt *s)
{
        Z3_params params = z3.mk_params(s->context);

        z3.params_inc_ref(s->context, params);
        z3.params_set_uint(s->context, params, z3.mk_string_symbol(s->context, "timeout"), s->milliseconds);
        z3.solver_set_params(s->context, s->solver, params);
        z3.params_dec_ref(s->context, params);
}

static void begin(struct smt *s)
{
        Z3_config config = z3.mk_config();

        s->context = z3.mk_context(config);
        z3.del_config(config);
        z3.set_error_handler(s->context, ignore);
        s->time = z3.mk_int_sort(s->context);
        s->solver = z3.mk_simple_solver(s->context);
        z3.solver_inc_ref(s->context, s->solver);
        set_limit(s);
}

static void end(struct smt *s)
{
        z3.solver_dec_ref(s->context, s->solver);
        z3.del_context(s->context);
}

struct smt *smt_create(uint32_t milliseconds)
{
        struct smt *s = load() ? calloc(1, sizeof *s) : NULL;

        if (!s)
                return NULL;
        s->milliseconds = milliseconds;
        begin(s);
        return s;
}

void smt_destroy(struct smt *s)
{
        if (!s)
                return;
        end(s);
        vec_fini(&s->terms);
        vec_fini(&s->list);
        free(s);
}

void smt_limit(struct smt *s, uint32_t milliseconds)
{
        s->milliseconds = milliseconds;
        set_limit(s);
}

void smt_reset(struct smt *s)
{
        s->terms.n = 0;
        if (++s->asked % CONTEXT) {
                z3.solver_reset(s->context, s->solver);
                return;
        }
        end(s);
        begin(s);
}

static smt_term add(struct smt *s, Z3_ast term)
{
        vec_need(&s->terms, 1);
        *vec_push(&s->terms) = term;
        return s->terms.n - 1;
}

smt_term smt_time(struct smt *s)
{
        return add(s, z3.mk_fresh_const(s->context, "t", s->time));
}

smt_term smt_before(struct smt *s, smt_term a, smt_term b)
{
        return add(s, z3.mk_lt(s->context, s->terms.at[a], s->terms.at[b]));
}

static const Z3_ast *list(struct smt *s, uint32_t n, const smt_term *terms)
{
        s->list.n = 0;
        vec_need(&s->list, n + 1);
        for (uint32_t i = 0; i < n; i++)
                *vec_push(&s->list) = s->terms.at[terms[i]];
        return s->list.at;
}

smt_term smt_and(struct smt *s, uint32_t n, const smt_term *terms)
{
        return add(s, z3.mk_and(s->context, n, list(s, n, terms)));
}

smt_term smt_or(struct smt *s, uint32_t n, const smt_term *terms)
{
        return add(s, z3.mk_or(s->context, n, list(s, n, terms)));
}

void smt_assert(struct smt *s, smt_term t)
{
        z3.solver_assert(s->context, s->solver, s->terms.at[t]);
}

enum smt_answer smt_check(struct smt *s)
{
        switch (z3.solver_check(s->context, s->solver)) {
        case Z3_L_TRUE: return SMT_POSSIBLE;
        case Z3_L_FALSE: return SMT_IMPOSSIBLE;
        default: return SMT_UNKNOWN;
        }
}
