/*
 * How a program ends: main's return, exit and similar functions, abort.
 *
 * The end of the process is put off until every other thread is done or blocked: an earlier end is a prefix of that.
 * Handlers and destructors run as ordinary operations of the thread that exits.  When there are none that belong to the
 * program, libc's exit is not called at all.
 */
#include "rt/world/exit.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "rt/calls/effect.h"
#include "rt/map.h"
#include "rt/memory/shadow.h"
#include "rt/position.h"
#include "rt/real.h"
#include "rt/sched/arrival.h"
#include "rt/sched/end.h"
#include "rt/sched/failure.h"
#include "rt/trace/log.h"
#include "rt/sched/marks.h"
#include "rt/sched/operation.h"
#include "rt/sched/path.h"
#include "rt/sched/sched.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/calls/exception.h"
#include "rt/world/modules.h"
#include "rt/world/signal_state.h"

static uint32_t n_atexit_early; /* handlers registered before main, ... */
static uint32_t n_before;       /* ... those of libraries that were set up before the runtime among them */
static bool fini_arrays;        /* an object of the program has destructors of its own */

/* Is there a thread whose end was not waited for?  Only then can a thread race with the exit. */
static bool somebody_unjoined(const struct thread *t)
{
        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (threads[i].state != WIRE_T_UNUSED && !threads[i].handle.joined && &threads[i] != t)
                        return true;
        return false;
}

/* The observed variables are read here, in one step; t is NULL when no thread is left that could race. */
void exit_observe(struct thread *t)
{
        const struct wire_down *d = rt.down;
        enum arrival how = ARRIVE_INNER;

        if (!d->n_cells) {
                if (t)
                        position_step(t, 1); /* positions do not depend on --observe */
                return;
        }
        if (t && rt.live && somebody_unjoined(t))
                for (uint32_t i = 0; i < d->n_cells; i++)
                        shadow_touch(t, (uintptr_t)d->cells[i].addr, d->cells[i].size);
        if (t)
                how = op_arrive(t, OP_OBSERVE, d->cells[0].addr, d->cells[0].size, NULL, RT_SITE());
        else
                t = &threads[0];
        for (uint32_t i = 0; i < d->n_cells && i < WIRE_MAX_CELLS; i++) {
                uint64_t v = 0;
                const struct wire_cell *c = &d->cells[i];
                rt_copy(&v, (const void *)(uintptr_t)c->addr, c->size <= 8 ? c->size : 8);
                if (i == 0 && how == ARRIVE_EVENT)
                        op_log(t, how, WIRE_MODE_READ, v);
                else
                        op_also(t, ARRIVE_INNER, OP_OBSERVE, c->addr, c->size, WIRE_MODE_READ, v);
        }
}

static _Noreturn void leave(struct thread *t)
{
        ex.handlers_done = !ex.quick;
        ex.left = true;
        ex.alone = NULL; /* what it did before is not part of an endless loop */
        if (path_on && ex.exit_status && !path_counts(t, WIRE_FAIL_EXIT_STATUS, (uint32_t)ex.exit_status & 0xff, NULL))
                rt_assume_fail(t->pend.site);
        if (ex.exit_status && ex.n_failures < WIRE_MAX_FAILURES) {
                struct wire_failure *f = &rt.up->failures[ex.n_failures++];
                rt_zero(f, sizeof *f);
                f->kind = WIRE_FAIL_EXIT_STATUS;
                f->actor = t->id;
                f->status = (uint32_t)ex.exit_status & 0xff;
                f->site = t->pend.site;
                f->event = ex.n_events;
                rt_format(f->text, WIRE_TEXT, "exit status %u", f->status);
                if (!(rt.flags & WIRE_KEEP_GOING)) {
                        t->state = WIRE_T_EXITED;
                        exec_end(WIRE_END_FAILED);
                }
        }
        sched_leave(t, WIRE_T_EXITED);
}

/* list: the handlers that will run, NULL: none. */
static void begin_exit(struct thread *t, int status, bool quick, const struct effect *list, uintptr_t site)
{
        enum arrival how;

        exit_observe(t);
        how = op_arrive(t, OP_EXIT, WIRE_OBJ_PROCESS, 8, NULL, site);
        op_log(t, how, WIRE_MODE_WRITE, 0);
        if (list && effect_touch(t, list, 1))
                effect_log(t, how, list, 1);
        ex.exited = true;
        ex.quick = quick;
        ex.exit_status = status & 0xff;
}

/* The first handlers to be registered, so the last to run.  Where libc itself calls its exit, there was no notice before. */
static void last_handler(int status, void *arg)
{
        (void)arg;
        if (rt_cur && !ex.exited)
                begin_exit(rt_cur, status, false, NULL, RT_SITE());
        if (rt_cur)
                leave(rt_cur);
}

static void last_quick_handler(void *arg)
{
        (void)arg;
        if (rt_cur)
                leave(rt_cur);
}

static int look_for_fini(struct dl_phdr_info *info, size_t size, void *arg)
{
        size_t n = 0;

        (void)size;
        (void)arg;
        for (int i = 0; i < info->dlpi_phnum; i++) {
                const ElfW(Dyn) *d = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
                if (info->dlpi_phdr[i].p_type != PT_DYNAMIC)
                        continue;
                for (; d->d_tag != DT_NULL; d++)
                        if (d->d_tag == DT_FINI_ARRAYSZ)
                                n = d->d_un.d_val;
        }
        if (n > sizeof(void *)) /* one is the compiler's own */
                fini_arrays = true;
        return 0;
}

void exit_init(void)
{
        int (*on_end)(void (*)(int, void *), void *) = rt_real("on_exit");
        int (*on_quick_end)(void (*)(void *), void *) = rt_real("__cxa_at_quick_exit");

        on_end(last_handler, NULL);
        on_quick_end(last_quick_handler, NULL);
        n_before = n_atexit_early;
        dl_iterate_phdr(look_for_fini, NULL);
}

/*
 * Exit takes the handlers off libc's list one after the other, and others may register some meanwhile.  So each is run
 * by a function of ours, which uses the list when the handler has returned: right before libc takes the next one.
 */
#define MAX_HANDLERS 16384u

struct handler {
        void (*run)(void *);
        void (*run_status)(int, void *);
        void *arg;
        uintptr_t site; /* where it was registered */
};

static struct handler *handlers_at(void)
{
        static struct handler *all;

        if (!all)
                all = rt_map(MAX_HANDLERS * sizeof *all);
        return all;
}

static void run_status_handler(int status, void *arg)
{
        const struct handler *h = arg;

        if (h->run)
                h->run(h->arg);
        else
                h->run_status(status, h->arg);
        effect_one(EFFECT_USE(STATE_EXIT_HANDLERS), h->site);
}

static void run_handler(void *arg)
{
        run_status_handler(0, arg);
}

/* The running thread is about to register a handler, which is counted; NULL: there is no more room, or it is too late. */
static struct handler *new_handler(uintptr_t site)
{
        uint32_t i = n_atexit_early + ex.n_atexit;

        effect_one(EFFECT_CHANGE(STATE_EXIT_HANDLERS), site);
        if (ex.handlers_done || i == MAX_HANDLERS)
                return NULL;
        if (rt.live)
                ex.n_atexit++;
        else
                n_atexit_early++;
        return &handlers_at()[i];
}

RT_EXPORT int __cxa_atexit(void (*f)(void *), void *arg, void *dso);
int __cxa_atexit(void (*f)(void *), void *arg, void *dso)
{
        static int (*real)(void (*)(void *), void *, void *);
        struct handler *h;

        if (!real)
                real = rt_real("__cxa_atexit");
        if (f == (void (*)(void *))(uintptr_t)last_handler) /* our own */
                return real(f, arg, dso);
        h = new_handler(RT_SITE());
        if (!h)
                return -1;
        *h = (struct handler){.run = f, .arg = arg, .site = RT_SITE()};
        return real(run_handler, h, dso);
}

RT_EXPORT int on_exit(void (*f)(int, void *), void *arg)
{
        struct handler *h = new_handler(RT_SITE());

        if (!h)
                return -1;
        *h = (struct handler){.run_status = f, .arg = arg, .site = RT_SITE()};
        return RT_REAL(on_exit)(run_status_handler, h);
}

static _Noreturn void process_exit(struct thread *t, int status, bool handlers, uintptr_t site)
{
        const struct effect list = EFFECT_USE(STATE_EXIT_HANDLERS);
        static void (*real)(int);

        begin_exit(t, status, !handlers, handlers ? &list : NULL, site);
        if (rt.down->output) {
                rt_run(NULL);
                fflush(NULL);
                rt_run(t);
        }
        if (!handlers || !(ex.n_atexit || n_atexit_early > n_before || fini_arrays))
                leave(t);
        if (!real)
                real = rt_real("exit");
        real(status);
        __builtin_unreachable();
}

_Noreturn void exit_from_main(int status, uintptr_t site)
{
        rt_cur->fiber.exit_sp = (uintptr_t)__builtin_frame_address(0); /* main's frame is gone */
        process_exit(rt_cur, status, true, site);
}

_Noreturn void exit_at(int status, uintptr_t site)
{
        static void (*real)(int);

        if (rt_cur) {
                volatile char here = 0; /* below the registers of the program, which are to be found in this frame */
                __builtin_unwind_init();
                rt_cur->fiber.exit_sp = (uintptr_t)&here;
                process_exit(rt_cur, status, true, site);
        }
        if (!real)
                real = rt_real("exit");
        real(status);
        __builtin_unreachable();
}

RT_EXPORT void exit(int status)
{
        exit_at(status, RT_SITE());
}

RT_EXPORT void _exit(int status)
{
        static void (*real)(int);

        if (rt_cur)
                process_exit(rt_cur, status, false, RT_SITE());
        if (!real)
                real = rt_real("_exit");
        real(status);
        __builtin_unreachable();
}

RT_EXPORT void _Exit(int status)
{
        _exit(status);
}

RT_EXPORT int __cxa_at_quick_exit(void (*f)(void *), void *dso);
int __cxa_at_quick_exit(void (*f)(void *), void *dso)
{
        static int (*real)(void (*)(void *), void *);

        if (!real)
                real = rt_real("__cxa_at_quick_exit");
        effect_one(EFFECT_CHANGE(STATE_QUICK_HANDLERS), RT_SITE());
        return real(f, dso);
}

/* Handlers of at_quick_exit run as ordinary operations of the thread; streams are not flushed. */
RT_EXPORT void quick_exit(int status)
{
        const struct effect list = EFFECT_USE(STATE_QUICK_HANDLERS);
        static void (*real)(int);

        if (rt_cur)
                begin_exit(rt_cur, status, true, &list, RT_SITE());
        if (!real)
                real = rt_real("quick_exit");
        real(status);
        __builtin_unreachable();
}

/* What ended a C++ program: an uncaught exception, which moves the site to the throw, or std::terminate(). */
static uintptr_t why_aborted(char text[WIRE_TEXT], uintptr_t site)
{
        uintptr_t thrown = site;

        rt_text(text, WIRE_TEXT, "abort");
        if (!rt_is_system(site) || rt_site_in_libc(site))
                return site;
        if (!exception_tell(text, &thrown) && dlsym(RTLD_DEFAULT, "__cxa_current_exception_type"))
                rt_text(text, WIRE_TEXT, "terminate");
        return thrown;
}

RT_EXPORT void abort(void)
{
        static void (*real)(void);
        char text[WIRE_TEXT];

        if (rt_cur && mark_is_assume(RT_SITE()))
                rt_assume_fail(RT_SITE());
        if (rt_cur) {
                signal_abort();
                uintptr_t site = why_aborted(text, RT_SITE());
                rt_fail(WIRE_FAIL_ABORT, site, text);
        }
        if (!real)
                real = rt_real("abort");
        real();
        __builtin_unreachable();
}
