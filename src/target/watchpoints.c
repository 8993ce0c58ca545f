/*
 * The registers belong to the kernel thread on which all threads of the program run: that of the target, or of its child that runs the
 * execution.  They are written by ptrace(), and stay when the process is let go: it handles the signals itself
 * (rt/arch/x86_64/watchpoint.c).
 */
#include "target/watchpoints.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
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

/* The number is what the program's memory says: is it the program? */
static bool belongs(int pid, int target)
{
        char path[64], text[512] = "", *state;
        int parent = 0;
        FILE *f;

        snprintf(path, sizeof path, "/proc/%d/stat", pid);
        f = fopen(path, "re");
        if (f && !fgets(text, sizeof text, f))
                text[0] = 0;
        if (f)
                fclose(f);
        state = strrchr(text, ')');
        return pid == target || (state && sscanf(state, ") %*c %d", &parent) == 1 && parent == target);
}

bool watchpoints_set(int pid, int target, const struct watched_word *words, uint32_t n)
{
        unsigned long control = 0;
        bool ok;

        if (!belongs(pid, target) || !stop(pid))
                return false;
        ok = ptrace(PTRACE_POKEUSER, pid, REGISTER(CONTROL), 0) == 0;
        for (uint32_t i = 0; i < n; i++) {
                uint32_t size = words[i].size > 8 ? 8 : words[i].size;

                if (size != 1 && size != 2 && size != 4 && size != 8)
                        continue;
                ok = ok && ptrace(PTRACE_POKEUSER, pid, REGISTER(i), words[i].addr & -(uint64_t)size) == 0;
                control |= control_of(size, i);
        }
        ok = ok && ptrace(PTRACE_POKEUSER, pid, REGISTER(CONTROL), control) == 0;
        ptrace(PTRACE_DETACH, pid, 0, 0);
        return ok;
}
