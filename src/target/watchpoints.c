/*
 * The registers belong to the kernel thread on which all threads of the program run.  They are written by ptrace(), and stay when
 * the target is let go: the target handles the signals itself (rt/arch/x86_64/watchpoint.c).
 */
#include "target/watchpoints.h"

#include <errno.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>

#define REGISTER(n) (offsetof(struct user, u_debugreg) + sizeof(long) * (n))
#define CONTROL     7u

/* Reads and writes of this many bytes, of register n. */
static unsigned long control_of(uint32_t size, uint32_t n)
{
        unsigned long length = size == 8 ? 2 : size - 1;

        return 1ul << 2 * n | (3ul | length << 2) << (16 + 4 * n);
}

static bool stop(int pid)
{
        int status;

        if (ptrace(PTRACE_SEIZE, pid, 0, 0) != 0)
                return false;
        if (ptrace(PTRACE_INTERRUPT, pid, 0, 0) != 0)
                return false;
        while (waitpid(pid, &status, __WALL) < 0)
                if (errno != EINTR)
                        return false;
        return WIFSTOPPED(status);
}

bool target_watch(struct target *t, const struct watched_word *words, uint32_t n)
{
        unsigned long control = 0;
        bool ok;

        if (t->pid == 0 || !stop(t->pid))
                return false;
        ok = ptrace(PTRACE_POKEUSER, t->pid, REGISTER(CONTROL), 0) == 0;
        for (uint32_t i = 0; i < n; i++) {
                uint32_t size = words[i].size > 8 ? 8 : words[i].size;

                if (size != 1 && size != 2 && size != 4 && size != 8)
                        continue;
                ok = ok && ptrace(PTRACE_POKEUSER, t->pid, REGISTER(i), words[i].addr & -(uint64_t)size) == 0;
                control |= control_of(size, i);
        }
        ok = ok && ptrace(PTRACE_POKEUSER, t->pid, REGISTER(CONTROL), control) == 0;
        ptrace(PTRACE_DETACH, t->pid, 0, 0);
        return ok;
}
