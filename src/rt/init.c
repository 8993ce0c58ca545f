/*
 * The start of a target: the wire, the modules, the pool, and the wrapper around main.
 *
 * Outside `heddle check` (no HEDDLE_WIRE in the environment) nothing is set up and rt_cur stays NULL: every wrapper
 * calls the real function.
 */
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "rt/core.h"
#include "rt/world/loaded.h"
#include "rt/sched/marks.h"
#include "rt/sched/user_op.h"

static struct range {
        uintptr_t lo, hi;
} libc_text[4], unwinder_text, system_range[16], program_range[16], rt_text_range;
static struct range constant_range[32];
static uint32_t n_libc, n_system, n_program, n_constant;

bool rt_site_in_libc(uintptr_t pc)
{
        for (uint32_t i = 0; i < n_libc; i++)
                if (pc >= libc_text[i].lo && pc < libc_text[i].hi)
                        return true;
        return false;
}

bool rt_site_in_unwinder(uintptr_t pc)
{
        return pc >= unwinder_text.lo && pc < unwinder_text.hi;
}

bool rt_is_system(uintptr_t addr)
{
        for (uint32_t i = 0; i < n_system; i++)
                if (addr >= system_range[i].lo && addr < system_range[i].hi)
                        return true;
        return false;
}

bool rt_is_program(uintptr_t addr)
{
        for (uint32_t i = 0; i < n_program; i++)
                if (addr >= program_range[i].lo && addr < program_range[i].hi)
                        return true;
        return false;
}

bool rt_is_constant(uintptr_t addr, size_t size)
{
        for (uint32_t i = 0; i < n_constant; i++)
                if (addr >= constant_range[i].lo && addr < constant_range[i].hi)
                        return size <= constant_range[i].hi - addr;
        return false;
}

bool rt_site_in_rt(uintptr_t pc)
{
        return pc >= rt_text_range.lo && pc < rt_text_range.hi;
}

void rt_own_range(uintptr_t *lo, uintptr_t *hi)
{
        *lo = rt_text_range.lo & ~(uintptr_t)4095;
        *hi = (rt_text_range.hi + 4095) & ~(uintptr_t)4095;
}

/* Our own fault, or a limit.  Nothing can be trusted but the wire. */
_Noreturn void rt_fault(const char *text)
{
        if (rt.up && rt.controller_sp && rt.up->running) {
                if (!rt_cur)
                        controller_fault(text);
                exec_end_text(WIRE_END_FAULT, 0, text);
        }
        rt_syscall6(SYS_write, 2, (long)"heddle: ", 8, 0, 0, 0);
        for (const char *p = text; *p; p++)
                rt_syscall6(SYS_write, 2, (long)p, 1, 0, 0, 0);
        rt_syscall6(SYS_write, 2, (long)"\n", 1, 0, 0, 0);
        rt_syscall6(SYS_exit_group, 3, 0, 0, 0, 0, 0);
        __builtin_unreachable();
}

void rt_refuse(const char *name)
{
        if (rt_cur)
                exec_end_text(WIRE_END_UNSUPPORTED, 0, name);
        if (rt.target)
                rt_fault(name);
}

static bool ends_with(const char *s, const char *end)
{
        size_t n = 0, m = 0;

        while (s[n])
                n++;
        while (end[m])
                m++;
        if (m > n)
                return false;
        for (size_t i = 0; i < m; i++)
                if (s[n - m + i] != end[i])
                        return false;
        return true;
}

static const char *const system_names[] = {
        "/libc.so.6", "/ld-linux-x86-64.so.2", "/libgcc_s.so.1", "/libm.so.6", "/libstdc++.so.6", "/libatomic.so.1",
};

static int note_module(struct dl_phdr_info *info, size_t size, void *arg)
{
        struct wire_up *up = rt.up;
        struct range r = {UINTPTR_MAX, 0};
        const char *path = info->dlpi_name;

        (void)size;
        (void)arg;
        for (int i = 0; i < info->dlpi_phnum; i++) {
                const ElfW(Phdr) *p = &info->dlpi_phdr[i];
                uintptr_t lo = info->dlpi_addr + p->p_vaddr;
                if (p->p_type != PT_LOAD)
                        continue;
                if (!(p->p_flags & PF_W) && n_constant < sizeof constant_range / sizeof *constant_range)
                        constant_range[n_constant++] = (struct range){lo, lo + p->p_memsz};
                if (info->dlpi_addr + p->p_vaddr < r.lo)
                        r.lo = info->dlpi_addr + p->p_vaddr;
                if (info->dlpi_addr + p->p_vaddr + p->p_memsz > r.hi)
                        r.hi = info->dlpi_addr + p->p_vaddr + p->p_memsz;
        }
        if ((ends_with(path, "/libc.so.6") || ends_with(path, "/ld-linux-x86-64.so.2")) && n_libc < 4)
                libc_text[n_libc++] = r;
        if (ends_with(path, "/libgcc_s.so.1"))
                unwinder_text = r;
        for (unsigned i = 0; i < sizeof system_names / sizeof *system_names; i++)
                if (ends_with(path, system_names[i]) && n_system < 16)
                        system_range[n_system++] = (struct range){r.lo & ~(uintptr_t)4095, r.hi};
        if ((uintptr_t)&rt >= r.lo && (uintptr_t)&rt < r.hi)
                rt_text_range = r;
        else if (!rt_is_system(r.lo) && n_program < 16)
                program_range[n_program++] = (struct range){r.lo & ~(uintptr_t)4095, r.hi};
        if (up->n_modules < WIRE_MAX_MODULES) {
                struct wire_module *m = &up->modules[up->n_modules++];
                m->base = info->dlpi_addr;
                if (*path)
                        rt_text(m->path, sizeof m->path, path);
                else if (up->n_modules == 1)
                        (void)!rt_syscall6(SYS_readlink, (long)"/proc/self/exe", (long)m->path, sizeof m->path - 1, 0,
                                           0, 0);
        }
        return 0;
}

static void *map_wire(int fd, size_t size, int prot, uintptr_t at)
{
        long r = rt_syscall6(SYS_mmap, (long)at, (long)size, prot, MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0);

        if (r != (long)at)
                rt_fault("the runtime could not map the wire");
        rt_syscall6(SYS_close, fd, 0, 0, 0, 0, 0);
        return (void *)r;
}

static void start_target(const char *wire)
{
        const char *poison = getenv("HEDDLE_POISON");
        char *end;
        int down = (int)strtol(wire, &end, 10);
        int up = *end ? (int)strtol(end + 1, &end, 10) : -1;

        rt.target = true;
        rt.down = map_wire(down, sizeof *rt.down, PROT_READ, RT_WIRE_DOWN);
        rt.up = map_wire(up, sizeof *rt.up, PROT_READ | PROT_WRITE, RT_WIRE_UP);
        if (rt.down->magic != WIRE_MAGIC || rt.down->version != WIRE_VERSION)
                rt_fault("this runtime belongs to another version of heddle");
        unsetenv(WIRE_ENV);
        rt.poison = poison && rt.down->isolate != WIRE_ISOLATE_DEBUG ? strtoul(poison, NULL, 0)
                                                                     : 0; /* in tests: no result may depend on it */
        unsetenv("LD_PRELOAD");
        unsetenv("LD_BIND_NOW");
        rt.up->magic = WIRE_MAGIC;
        rt.up->version = WIRE_VERSION;
        rt.up->pid = (uint32_t)rt_syscall6(SYS_getpid, 0, 0, 0, 0, 0, 0);
        rt.up->n_modules = 0;
        rt.up->restorable = 1;
        rt.up->final = 0;
        rt.memory = rt.down->memory;
        rt.stuck = rt.down->timeouts == WIRE_TIMEOUTS_STUCK;
        dl_iterate_phdr(note_module, NULL);
        exit_init();
        userop_init();
}

__attribute__((constructor)) static void init(void)
{
        const char *wire = getenv(WIRE_ENV);

        fiber_init();
        if (heap_is_target() && wire) /* the heap's answer is for good: it is asked while the variable is there */
                start_target(wire);
}

static int (*program_main)(int, char **, char **);

static int wrapped_main(int argc, char **argv, char **envp)
{
        int status = program_main(argc, argv, envp);

        exit_from_main(status, (uintptr_t)program_main + 1);
}

typedef int start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                       void (*fini)(void), void (*rtld_fini)(void), void *stack_end);

RT_EXPORT start_main __libc_start_main;
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init_)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
        start_main *real = (start_main *)rt_real("__libc_start_main");

        if (!rt.target)
                return real(main, argc, argv, init_, fini, rtld_fini, stack_end);
        program_main = main;
        shadow_init();
        thread_main_init();
        signal_init();
        pool_init(rt.down->pool < WIRE_MAX_THREADS ? rt.down->pool : WIRE_MAX_THREADS - 1);
        controller_start();
        rt.preempt = rt.down->preempt;
        mark_init();
        locked_init();
        loaded_init();
        rt_cur = &threads[0];
        return real(wrapped_main, argc, argv, init_, fini, rtld_fini, stack_end);
}
