/*
 * What a program says to heddle: the annotations of heddle/heddle.h, the names of the SV-COMP competition, and the
 * functions behind assert().  Outside `check` they do the plain thing, which for most is nothing.
 *
 * A nondeterministic value of SV-COMP may be any value of its type.  Except for truth values all cannot be tried; a
 * few are, and the exploration is noted as incomplete, so that nothing is called safe on their account.
 */
#include <assert.h>
#include <stdlib.h>
#include <sys/types.h>

#include "heddle/heddle.h"
#include "rt/arch/x86_64/stub.h"
#include "rt/fault.h"
#include "rt/memory/access.h"
#include "rt/memory/allocate.h"
#include "rt/memory/heap.h"
#include "rt/notes.h"
#include "rt/real.h"
#include "rt/rt.h"
#include "rt/sched/choice.h"
#include "rt/sched/failure.h"
#include "rt/sched/section.h"
#include "rt/sync/object.h"
#include "rt/util.h"

#define POINTED_SIZE 4096u /* of what __VERIFIER_nondet_pointer points to */

/* heddle.h declares them weak for its users; here they are defined. */
#pragma GCC visibility push(default)

unsigned heddle_rt_choose(unsigned n)
{
        if (!rt_on() || n == 1)
                return 0;
        if (n == 0)
                rt_fail(WIRE_FAIL_ASSERTION, RT_SITE(), "heddle_choose(0) was called: there is no such value");
        return rt_choose(n, RT_SITE());
}

void heddle_rt_assume(int condition)
{
        if (!condition && rt_on())
                rt_assume_fail(RT_SITE());
}

void heddle_rt_atomic_begin(void)
{
        if (rt_on())
                rt_atomic_begin(RT_SITE());
}

void heddle_rt_atomic_end(void)
{
        if (rt_on())
                rt_atomic_end(RT_SITE());
}

RT_STUB_VOID(heddle_rt_yield, annotate_yield, "default")
void annotate_yield(void) __attribute__((used, visibility("hidden")));
void annotate_yield(void)
{
        if (rt_on())
                rt_yield(RT_STUB_SITE());
}

RT_STUB_VOID(heddle_rt_preempt, annotate_preempt, "default")
void annotate_preempt(void) __attribute__((used, visibility("hidden")));
void annotate_preempt(void)
{
        if (rt_on())
                rt_preempt(RT_STUB_SITE());
}

void heddle_rt_read(const void *p, size_t n)
{
        if (rt_on() && n)
                access_range(OP_READ, p, n, RT_SITE());
}

void heddle_rt_write(void *p, size_t n)
{
        if (rt_on() && n)
                access_range(OP_WRITE, p, n, RT_SITE());
}

void heddle_rt_ignore_begin(void)
{
        if (rt_on())
                rt_ignore(1);
}

void heddle_rt_ignore_end(void)
{
        if (rt_on())
                rt_ignore(-1);
}

void heddle_rt_name(const void *p, const char *name)
{
        if (rt_on())
                rt_name_object(p, name);
}

/* In the order of enum wire_wakeup. */
static const char *const policies[] = {"arbitrary", "fifo", "lifo", "priority", "reader", "writer", "first", "last"};

static bool same(const char *a, const char *b)
{
        while (*a && *a == *b) {
                a++;
                b++;
        }
        return *a == *b;
}

void heddle_rt_wakeup(const void *p, const char *policy)
{
        if (!rt_on())
                return;
        for (uint32_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++)
                if (same(policies[i], policy)) {
                        object_set_policy(p, i);
                        return;
                }
        rt_refuse("heddle_wakeup with a policy that is none of arbitrary, fifo, lifo, priority, reader, writer, first "
                  "and last");
}

int heddle_rt_running(void)
{
        return rt_on();
}

/* The text that libc would print. */
static _Noreturn void fail_assertion(const char *condition, const char *file, unsigned line, const char *function,
                                     uintptr_t site)
{
        char text[WIRE_TEXT];

        rt_format(text, sizeof(text), "%s:%u: %s%sAssertion `%s' failed.", file ? file : "?", line,
                  function ? function : "", function ? ": " : "", condition ? condition : "?");
        rt_fail(WIRE_FAIL_ASSERTION, site, text);
}

/* Notes the failure of a program that is recorded (rt/record/failure.h); elsewhere the function does not exist. */
void failure_assertion(const char *condition, const char *file, unsigned line, const char *function, uintptr_t site)
        __attribute__((weak, visibility("hidden")));

static void assert_plainly(const char *condition, const char *file, unsigned line, const char *function, uintptr_t site)
{
        if (failure_assertion)
                failure_assertion(condition, file, line, function, site);
        ((__typeof__(&__assert_fail))rt_real("__assert_fail"))(condition, file, line, function);
}

void __assert_fail(const char *condition, const char *file, unsigned line, const char *function)
{
        if (rt_on())
                fail_assertion(condition, file, line, function, RT_SITE());
        assert_plainly(condition, file, line, function, RT_SITE());
        abort();
}

void heddle_rt_assert_fail(const char *condition, const char *file, unsigned line, const char *function)
{
        if (rt_on())
                fail_assertion(condition, file, line, function, RT_SITE());
        assert_plainly(condition, file, line, function, RT_SITE());
}

void __assert_perror_fail(int errnum, const char *file, unsigned line, const char *function)
{
        char text[48];

        if (rt_on()) {
                rt_format(text, sizeof(text), "error %u", (unsigned)errnum);
                fail_assertion(text, file, line, function, RT_SITE());
        }
        ((__typeof__(&__assert_perror_fail))rt_real("__assert_perror_fail"))(errnum, file, line, function);
        abort();
}

void __assert(const char *condition, const char *file, int line)
{
        if (rt_on())
                fail_assertion(condition, file, (unsigned)line, NULL, RT_SITE());
        ((__typeof__(&__assert))rt_real("__assert"))(condition, file, line);
        abort();
}

/* SV-COMP.  Programs that define one of these themselves keep their own; to call reach_error is a failure even so
 * (WIRE_MARK_ERROR), and to abort in assume_abort_if_not is to assume (WIRE_MARK_ASSUME). */

void reach_error(void);
void __VERIFIER_error(void);
void __VERIFIER_assert(int condition);
void __VERIFIER_assume(int condition);
void assume_abort_if_not(int condition);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

void reach_error(void)
{
        if (rt_on())
                rt_fail(WIRE_FAIL_ASSERTION, RT_SITE(), "reach_error() was called");
        abort();
}

void __VERIFIER_error(void)
{
        if (rt_on())
                rt_fail(WIRE_FAIL_ASSERTION, RT_SITE(), "__VERIFIER_error() was called");
        abort();
}

void __VERIFIER_assert(int condition)
{
        if (condition)
                return;
        if (rt_on())
                rt_fail(WIRE_FAIL_ASSERTION, RT_SITE(), "__VERIFIER_assert() does not hold");
        abort();
}

void __VERIFIER_assume(int condition)
{
        if (!condition && rt_on())
                rt_assume_fail(RT_SITE());
}

void assume_abort_if_not(int condition)
{
        if (!condition && rt_on())
                rt_assume_fail(RT_SITE());
        if (!condition)
                abort();
}

void __VERIFIER_atomic_begin(void)
{
        if (rt_on())
                rt_atomic_begin(RT_SITE());
}

void __VERIFIER_atomic_end(void)
{
        if (rt_on())
                rt_atomic_end(RT_SITE());
}

/* The i-th value: 0, 1, 2, -1 (the greatest value of an unsigned type), 3, -2, 4, -3 ... */
static int64_t nondet_value(uint32_t i)
{
        static const int first[] = {0, 1, 2, -1};

        return i < 4 ? first[i] : i % 2 ? -(int64_t)((i - 1) / 2) : (int64_t)(i / 2) + 1;
}

/* A value of --nondet.  Without it the first values, nondet.low of them, or 4; a replay takes any. */
static int64_t nondet(const char *type, uintptr_t site)
{
        uint32_t n = rt.segments ? UINT32_MAX >> 1 : rt.down->nondet.low ? (uint32_t)rt.down->nondet.low : 4;

        if (!rt_on())
                return 0;
        if (rt.down->nondet.count)
                return rt.down->nondet.low + (int64_t)rt_choose((uint32_t)rt.down->nondet.count, site);
        rt_note_incomplete(REASON_NONDET, type);
        return nondet_value(rt_choose(n, site));
}

#define NONDET(name, type)                             \
        type __VERIFIER_nondet_##name(void);           \
        type __VERIFIER_nondet_##name(void)            \
        {                                              \
                return (type)nondet(#name, RT_SITE()); \
        }

#define NONDET_TRUTH(name)                                             \
        bool __VERIFIER_nondet_##name(void);                           \
        bool __VERIFIER_nondet_##name(void)                            \
        {                                                              \
                return rt_on() ? rt_choose(2, RT_SITE()) != 0 : false; \
        }

#include "rt/user/nondet.def"

void *__VERIFIER_nondet_pointer(void);
void *__VERIFIER_nondet_pointer(void)
{
        struct heap_block *b;
        void *p;

        if (!rt_on())
                return NULL;
        rt_note_incomplete(REASON_NONDET_POINTER, NULL);
        if (!rt_choose(2, RT_SITE()))
                return NULL;
        p = heap_alloc(HEAP_UNIT, POINTED_SIZE, HEAP_MALLOC, RT_SITE());
        if (p) {
                rt_zero(p, POINTED_SIZE);
                b = (struct heap_block *)p - 1;
                b->marks |= HEAP_EARLY; /* it need not be freed */
        }
        return p;
}

#pragma GCC visibility pop
