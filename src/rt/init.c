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

#include "rt/arch/x86_64/fiber.h"
#include "rt/arch/x86_64/locked.h"
#include "rt/calls/environment.h"
#include "rt/fault.h"
#include "rt/helper/recorded.h"
#include "rt/helper/starter.h"
#include "rt/layout.h"
#include "rt/memory/malloc.h"
#include "rt/memory/access.h"
#include "rt/memory/shadow.h"
#include "rt/position.h"
#include "rt/real.h"
#include "rt/sched/controller.h"
#include "rt/sched/marks.h"
#include "rt/sched/path.h"
#include "rt/user/path_keep.h"
#include "rt/user/plugin.h"
#include "rt/sched/pool.h"
#include "rt/thread/thread.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/loops/cut.h"
#include "rt/loops/spin.h"
#include "rt/memory/memcheck.h"
#include "rt/sched/failure.h"
#include "rt/trace/log.h"
#include "rt/weak/above.h"
#include "rt/weak/mm.h"
#include "rt/world/exit.h"
#include "rt/world/loaded.h"
#include "rt/world/modules.h"
#include "rt/world/signal.h"
#include "rt/world/trap.h"

static void *map_wire(int fd, size_t size, int prot, uintptr_t at)
{
        long r = rt_syscall6(SYS_mmap, (long)at, (long)size, prot, MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0);

        if (r != (long)at)
                rt_fault("the runtime could not map the wire");
        rt_syscall6(SYS_close, fd, 0, 0, 0, 0, 0);
        return (void *)r;
}

static void wake_loops(struct thread *b, uint64_t addr, uint32_t size)
{
        if (spin_watchers)
                spin_wake(b, addr, size);
}

static const struct mm_above above = {.log = op_log,
                                      .also = op_also,
                                      .flush = memory_check_flush,
                                      .changed = wake_loops,
                                      .reached = cut_reach,
                                      .cut = thread_cut};

static void start_target(const char *wire)
{
        const char *poison = getenv("HEDDLE_POISON");
        char *end;
        int down = (int)strtol(wire, &end, 10);
        int up = *end ? (int)strtol(end + 1, &end, 10) : -1;
        int helpers = *end ? (int)strtol(end + 1, &end, 10) : -1;

        rt.target = true;
        rt.down = map_wire(down, sizeof *rt.down, PROT_READ, RT_WIRE_DOWN);
        rt.up = map_wire(up, sizeof *rt.up, PROT_READ | PROT_WRITE, RT_WIRE_UP);
        if (rt.down->magic != WIRE_MAGIC || rt.down->version != WIRE_VERSION)
                rt_fault("this runtime belongs to another version of heddle");
        if (helpers >= 0)
                recorded_init(helpers);
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
        mm_init(&above);
        environment_init();
        modules_init();
        path_init();
        path_keep_init();
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
        int status;

        threads[0].fiber.end = (uintptr_t)__builtin_frame_address(0);
        status = program_main(argc, argv, envp);
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
        starter_init();
        rt.files = rt.down->isolate != WIRE_ISOLATE_DEBUG && trap_files();
        __heddle_checked = 1;
        rt_run(&threads[0]);
        return real(wrapped_main, argc, argv, init_, fini, rtld_fini, stack_end);
}
