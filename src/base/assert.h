/*
 * Assertions: what heddle relies on, checked.  A failed one is a fault of heddle (base/fault.h), never a verdict.
 *
 * heddle_assert() is always on: for what costs little beside the work around it.  heddle_check() is on in a debug build only
 * (make DEBUG=1): for the *_check() functions, which walk a whole structure after each change of it.
 */
#ifndef HEDDLE_BASE_ASSERT_H
#define HEDDLE_BASE_ASSERT_H

#include "base/fault.h"

#define heddle_assert(condition)            \
        (__builtin_expect(!!(condition), 1) \
                 ? (void)0                  \
                 : fault_report("%s:%d: %s: this does not hold: %s", __FILE__, __LINE__, __func__, #condition))

#ifdef HEDDLE_DEBUG
#define heddle_check(condition) heddle_assert(condition)
#else
#define heddle_check(condition) ((void)sizeof(condition))
#endif

#endif
