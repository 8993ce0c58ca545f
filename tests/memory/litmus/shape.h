/*
 * For the litmus tests of memory models: accesses whose order the row chooses.
 *
 *     -DST=release -DLD=acquire   the orders of W() and R(); relaxed unless said otherwise
 *     -DPLAIN                     plain accesses of volatile variables instead
 *     -DF1=seq_cst, -DF2=...      fences where the test has FENCE1 and FENCE2
 *     -DRMW                       atomic updates instead of stores; everything is 0 at first, so that adding is storing (of an
 *                                 exchange whose result is not used, a compiler makes a store)
 */
#ifndef SHAPE_H
#define SHAPE_H

#include <stdatomic.h>

#include "../../litmus/litmus.h"

#ifndef ST
#define ST relaxed
#endif
#ifndef LD
#define LD relaxed
#endif
#define JOIN_(a, b) a##b
#define ORDER(o)    JOIN_(memory_order_, o)

#ifdef PLAIN
typedef volatile int shared;
#define W(x, v) ((x) = (v))
#define R(x)    (x)
#elif defined(RMW)
typedef atomic_int shared;
#define W(x, v) ((void)atomic_fetch_add_explicit(&(x), v, ORDER(ST)))
#define R(x)    atomic_load_explicit(&(x), ORDER(LD))
#else
typedef atomic_int shared;
#define W(x, v) atomic_store_explicit(&(x), v, ORDER(ST))
#define R(x)    atomic_load_explicit(&(x), ORDER(LD))
#endif

#ifdef F1
#define FENCE1 atomic_thread_fence(ORDER(F1))
#else
#define FENCE1 ((void)0)
#endif
#ifdef F2
#define FENCE2 atomic_thread_fence(ORDER(F2))
#else
#define FENCE2 ((void)0)
#endif

#define THREAD(name, ...)            \
        static void *name(void *arg) \
        {                            \
                __VA_ARGS__;         \
                return arg;          \
        }

#endif
