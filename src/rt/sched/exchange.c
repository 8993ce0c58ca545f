/* See exchange.h.  Each side counts its messages in a word that the other waits for; the first of the target answers its start. */
#include "rt/sched/exchange.h"

#include <linux/futex.h>
#include <sys/syscall.h>

#include "rt/rt.h"
#include "rt/util.h"

static uint32_t seen; /* messages taken from the explorer */

void exchange_answer(void)
{
        struct wire_up *up = rt.up;

        up->running = 0;
        __atomic_store_n(&up->seq, seen + 1, __ATOMIC_SEQ_CST); /* whatever the program wrote there */
        if (__atomic_load_n(&rt.down->waits, __ATOMIC_SEQ_CST))
                rt_syscall6(SYS_futex, (long)&up->seq, FUTEX_WAKE, 1, 0, 0, 0);
}

/* Waits for the next message.  The explorer never sends two at a time. */
void exchange_await(void)
{
        const uint32_t *seq = &rt.down->seq;

        for (int i = rt.down->crowded ? WIRE_YIELDS : 0;
             i < WIRE_YIELDS && __atomic_load_n(seq, __ATOMIC_SEQ_CST) == seen; i++)
                rt_syscall6(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
        while (__atomic_load_n(seq, __ATOMIC_SEQ_CST) == seen) {
                __atomic_store_n(&rt.up->waits, 1, __ATOMIC_SEQ_CST);
                if (__atomic_load_n(seq, __ATOMIC_SEQ_CST) == seen)
                        rt_syscall6(SYS_futex, (long)seq, FUTEX_WAIT, seen, 0, 0, 0);
                __atomic_store_n(&rt.up->waits, 0, __ATOMIC_SEQ_CST);
        }
        seen++;
        if (rt.down->command == WIRE_QUIT)
                rt_syscall6(SYS_exit_group, 0, 0, 0, 0, 0, 0);
}

void exchange_ask(void)
{
        const uint32_t *served = &rt.down->served;
        uint32_t before = __atomic_load_n(served, __ATOMIC_SEQ_CST);

        __atomic_store_n(&rt.up->asks, before + 1, __ATOMIC_SEQ_CST);
        rt_syscall6(SYS_futex, (long)&rt.up->seq, FUTEX_WAKE, 1, 0, 0, 0);
        while (__atomic_load_n(served, __ATOMIC_SEQ_CST) == before)
                rt_syscall6(SYS_futex, (long)served, FUTEX_WAIT, before, 0, 0, 0);
}

void exchange_restored(void)
{
        seen = rt.down->seq;
}

/* The last answer of this process. */
_Noreturn void exchange_last(uint32_t end, const char *what)
{
        struct wire_up *up = rt.up;

        up->end = end;
        up->n_threads = 1;
        up->final = 1;
        rt_text(up->text, WIRE_TEXT, what);
        exchange_answer();
        rt_syscall6(SYS_exit_group, 0, 0, 0, 0, 0, 0);
        __builtin_unreachable();
}
