/*
 * Annotations for programs that are checked by heddle.  All are optional; without heddle they do the plain thing and
 * need no library.
 */
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#include <assert.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The runtime's side; weak, so that a program built without heddle links and finds none of them. */
#define HEDDLE_WEAK_ __attribute__((weak))
HEDDLE_WEAK_ unsigned heddle_rt_choose(unsigned n);
HEDDLE_WEAK_ void heddle_rt_assume(int condition);
HEDDLE_WEAK_ void heddle_rt_assert_fail(const char *condition, const char *file, unsigned line, const char *function);
HEDDLE_WEAK_ void heddle_rt_atomic_begin(void);
HEDDLE_WEAK_ void heddle_rt_atomic_end(void);
HEDDLE_WEAK_ void heddle_rt_yield(void);
HEDDLE_WEAK_ void heddle_rt_preempt(void);
HEDDLE_WEAK_ void heddle_rt_read(const void *p, size_t n);
HEDDLE_WEAK_ void heddle_rt_write(void *p, size_t n);
HEDDLE_WEAK_ void heddle_rt_ignore_begin(void);
HEDDLE_WEAK_ void heddle_rt_ignore_end(void);
HEDDLE_WEAK_ void heddle_rt_name(const void *p, const char *name);
HEDDLE_WEAK_ void heddle_rt_wakeup(const void *p, const char *policy);
HEDDLE_WEAK_ int heddle_rt_running(void);
HEDDLE_WEAK_ void heddle_rt_record_dump(void);

/* A value from 0 to n-1, every one explored; 0 without heddle. */
static inline unsigned heddle_choose(unsigned n)
{
        return heddle_rt_choose ? heddle_rt_choose(n) : 0;
}

/* Executions in which the condition is false are not explored further. */
static inline void heddle_assume(int condition)
{
        if (heddle_rt_assume)
                heddle_rt_assume(condition);
}

/* Like assert(), but not switched off by NDEBUG. */
#define heddle_assert(c) ((c) ? (void)0 : heddle_assert_fail_(#c, __FILE__, __LINE__, __func__))
static inline void heddle_assert_fail_(const char *condition, const char *file, unsigned line, const char *function)
{
        if (heddle_rt_assert_fail)
                heddle_rt_assert_fail(condition, file, line, function);
        __builtin_trap();
}

/* The code between the two runs in one step. */
static inline void heddle_atomic_begin(void)
{
        if (heddle_rt_atomic_begin)
                heddle_rt_atomic_begin();
}
static inline void heddle_atomic_end(void)
{
        if (heddle_rt_atomic_end)
                heddle_rt_atomic_end();
}

/* A hint that this thread waits for others. */
static inline void heddle_yield(void)
{
        if (heddle_rt_yield)
                heddle_rt_yield();
}

/* A preemption point here. */
static inline void heddle_preempt(void)
{
        if (heddle_rt_preempt)
                heddle_rt_preempt();
}

/* Announces an access that the compiler did not see (assembly, a system call). */
static inline void heddle_read(const void *p, size_t n)
{
        if (heddle_rt_read)
                heddle_rt_read(p, n);
}
static inline void heddle_write(void *p, size_t n)
{
        if (heddle_rt_write)
                heddle_rt_write(p, n);
}

/* Accesses between the two are not checked: for statistics and logs whose races do not matter. */
static inline void heddle_ignore_begin(void)
{
        if (heddle_rt_ignore_begin)
                heddle_rt_ignore_begin();
}
static inline void heddle_ignore_end(void)
{
        if (heddle_rt_ignore_end)
                heddle_rt_ignore_end();
}

/* The name of an object in reports. */
static inline void heddle_name(const void *p, const char *name)
{
        if (heddle_rt_name)
                heddle_rt_name(p, name);
}

/* Which thread that waits for the object (a mutex, condition variable, semaphore, read-write lock or barrier) wakes next:
 * "arbitrary", "fifo", "lifo", "priority"; for read-write locks also "reader" and "writer"; for barriers "first" and
 * "last".  Call it before several threads use the object. */
static inline void heddle_wakeup(const void *p, const char *policy)
{
        if (heddle_rt_wakeup)
                heddle_rt_wakeup(p, policy);
}

/*
 * Attributes, written before a definition:
 *
 *     HEDDLE_LOCK static void my_lock(struct my *l) { ... }
 *
 * They apply to a function and to the functions it calls.  Each attribute puts its function or variable into a section of its own.
 */
#define HEDDLE_TRUST   __attribute__((section("heddle_trust"), noinline))   /* its memory accesses are not checked */
#define HEDDLE_NO_RACE __attribute__((section("heddle_no_race"), noinline)) /* its races are not reported */
/* Part of a lock that the program implements itself: it is preempted only where it waits, and its races are not reported,
 * unless --test-locks is given. */
#define HEDDLE_LOCK   __attribute__((section("heddle_lock"), noinline))
#define HEDDLE_IGNORE __attribute__((section("heddle_ignore"))) /* a global variable whose accesses are not checked */

/* Under `heddle record`: writes the recording here, and the program continues. */
static inline void heddle_record_dump(void)
{
        if (heddle_rt_record_dump)
                heddle_rt_record_dump();
}

/* Is the program being explored? */
static inline int heddle_running(void)
{
        return heddle_rt_running ? heddle_rt_running() : 0;
}

#ifdef __cplusplus
}
#endif

#endif
