/* What a program under test must not do to the processes of heddle. */
#ifndef HEDDLE_TARGET_GUARD_H
#define HEDDLE_TARGET_GUARD_H

#include <stdbool.h>
#include <sys/types.h>

/* In the child, before exec: a process group of its own, which ends with `parent`; calls that would signal, trace or limit the
 * processes of heddle fail with EPERM, where seccomp is permitted.  `owner`: the first process of heddle.  false: `parent` has
 * ended already. */
bool guard_enter(pid_t parent, pid_t owner);

#endif
