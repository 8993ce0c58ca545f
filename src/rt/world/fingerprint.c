/*
 * Fingerprints of a restored state: all private memory that the program can write, the list of its mappings, and what
 * the kernel holds.
 *
 * Everything is asked of the kernel again, not of snapshot.c: what the snapshot forgot is what must be found.  The first
 * state is kept whole, so that a later one that differs can be distinguished by the byte.
 *
 * The lower end of the main stack is not part of it, since the stack grows and never shrinks, nor is write protection
 * in libraries of the system: snapshot.c takes it away page by page.
 */
#include "rt/world/fingerprint.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>

#include "base/hash.h"
#include "rt/calls/random.h"
#include "rt/fault.h"
#include "rt/map.h"
#include "rt/memory/heap.h"
#include "rt/sched/pool.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/io/channel.h"
#include "rt/io/descriptor.h"
#include "rt/world/maps.h"
#include "rt/world/modules.h"
#include "rt/world/own_signals.h"

#define MAX_PIECES 1024
#define MAX_LINES  1200
#define LINE       192

struct piece { /* a stretch of memory, or, in the list of mappings, one of them */
        uintptr_t lo, hi;
        uint64_t hash;
        char *copy;
        char name[64];
};

struct pieces {
        uint32_t n;
        struct piece p[MAX_PIECES];
};

struct lines {
        uint32_t n;
        char text[MAX_LINES][LINE];
};

static struct pieces memory, first_memory, mappings, first_mappings;
static struct lines state, first_state;
static uintptr_t own_lo, own_hi;

/* Four lanes: the multiplications would otherwise wait for each other. */
static uint64_t hash_piece(const char *p, size_t n)
{
        typedef uint64_t word __attribute__((aligned(1), may_alias));
        uint64_t h[4] = {1, 2, 3, n};

        for (; n >= 32; n -= 32, p += 32)
                for (int i = 0; i < 4; i++)
                        h[i] = (h[i] ^ ((const word *)p)[i]) * HASH_GOLDEN;
        for (; n; n--)
                h[0] = hash_mix(h[0], (unsigned char)*p++);
        return hash_mix(hash_mix(hash_mix(h[0], h[1] >> 7), h[2] >> 13), h[3] >> 19);
}

static void name_of(char *to, size_t size, const char *from)
{
        size_t i = 0;

        for (; i + 1 < size && from[i] && from[i] != '\n'; i++)
                to[i] = from[i];
        to[i] = 0;
}

static struct piece *add(struct pieces *all, uintptr_t lo, uintptr_t hi, const char *name)
{
        struct piece *p = &all->p[all->n];

        if (all->n == MAX_PIECES)
                rt_fault("too many mappings for a fingerprint");
        all->n++;
        p->lo = lo;
        p->hi = hi;
        name_of(p->name, sizeof p->name, name);
        return p;
}

/* Neighbours are one piece: the kernel splits and joins mappings as their protection changes. */
static void add_memory(void *arg, void *start, size_t size)
{
        struct piece *last = memory.n ? &memory.p[memory.n - 1] : NULL;

        if (last && last->hi == (uintptr_t)start)
                last->hi += size;
        else
                add(&memory, (uintptr_t)start, (uintptr_t)start + size, arg);
}

static bool is_main_stack(const struct mapping *m)
{
        return (uintptr_t)threads[0].fiber.sp >= m->lo && (uintptr_t)threads[0].fiber.sp < m->hi;
}

/* A piece of a mapping that is not the runtime's data. */
static void memory_of(const struct mapping *m, uintptr_t lo, uintptr_t hi)
{
        if (lo < hi)
                add_memory((void *)(uintptr_t)m->name, (void *)lo, hi - lo);
}

static void on_mapping(void *arg, const struct mapping *m)
{
        uint64_t key = hash_mix(m->file, m->read | m->exec << 2 | m->shared << 3);
        bool system = rt_is_system(m->lo) && !m->exec;
        bool stack = is_main_stack(m);
        uintptr_t lo = stack ? (uintptr_t)threads[0].fiber.sp : m->lo;
        struct piece *last = mappings.n ? &mappings.p[mappings.n - 1] : NULL;

        if (maps_in_region(m->lo))
                return;
        key = hash_mix(key, system ? 2 : m->write);
        if (last && last->hi == m->lo && last->hash == key)
                last->hi = m->hi;
        else
                add(&mappings, stack ? m->hi - 1 : m->lo, m->hi, m->name)->hash = key;
        if (!arg || m->shared || !m->read || !(m->write || system))
                return;
        if (stack) {
                uintptr_t end, frames = thread_frames(&threads[0], &end);

                memory_of(m, lo, end);
                lo = frames;
        }
        if (lo >= own_hi || m->hi <= own_lo) {
                memory_of(m, lo, m->hi);
                return;
        }
        memory_of(m, lo, own_lo);
        memory_of(m, own_hi, m->hi);
}

static uint64_t hash_pieces(const struct pieces *all)
{
        uint64_t h = all->n;

        for (uint32_t i = 0; i < all->n; i++)
                h = hash_mix(hash_mix(hash_mix(h, all->p[i].lo), all->p[i].hi), all->p[i].hash);
        return h;
}

uint64_t fingerprint_maps(void)
{
        mappings.n = 0;
        maps_each(on_mapping, NULL);
        return hash_pieces(&mappings);
}

static char *add_line(void)
{
        if (state.n == MAX_LINES)
                rt_fault("too many descriptors for a fingerprint");
        return state.text[state.n++];
}

static void add_descriptor(void *arg, int fd)
{
        char path[80], target[96]; /* rt_format keeps 32 bytes free */
        uint64_t offset;
        long n;

        (void)arg;
        rt_format(path, sizeof path, "/proc/self/fd/%u", (unsigned)fd);
        n = rt_syscall6(SYS_readlink, (long)path, (long)target, sizeof target - 1, 0, 0, 0);
        target[n > 0 ? n : 0] = 0;
        if (channel_at(fd)) /* it may have been made again */
                rt_text(target, sizeof target, "a pipe, a socket pair or an eventfd");
        offset = (uint64_t)rt_syscall6(SYS_lseek, fd, 0, 1 /* SEEK_CUR */, 0, 0, 0);
        rt_format(add_line(), LINE, "descriptor %u is %s at %p, flags %x, %x", (unsigned)fd, target,
                  (fd == 1 || fd == 2) && rt.down->output ? UINT64_C(0) : offset,
                  (unsigned)rt_syscall6(SYS_fcntl, fd, F_GETFL, 0, 0, 0, 0),
                  (unsigned)rt_syscall6(SYS_fcntl, fd, F_GETFD, 0, 0, 0, 0));
}

static void add_rest(void)
{
        struct signal_action a;
        char cwd[128];
        uint64_t mask = 0;
        long old, n = rt_syscall6(SYS_getcwd, (long)cwd, sizeof cwd, 0, 0, 0, 0);

        rt_format(add_line(), LINE, "the working directory is %s", n > 0 ? cwd : "");
        old = rt_syscall6(SYS_umask, 0, 0, 0, 0, 0, 0);
        rt_syscall6(SYS_umask, old, 0, 0, 0, 0, 0);
        rt_format(add_line(), LINE, "the umask is %x", (unsigned)old);
        rt_syscall6(SYS_rt_sigprocmask, SIG_BLOCK, 0, (long)&mask, 8, 0, 0);
        rt_format(add_line(), LINE, "the signal mask is %p", mask);
        rt_syscall6(SYS_rt_sigpending, (long)&mask, 8, 0, 0, 0, 0);
        rt_format(add_line(), LINE, "pending signals are %p", mask);
        for (unsigned sig = 1; sig < 65; sig++) {
                if (rt_syscall6(SYS_rt_sigaction, sig, 0, (long)&a, 8, 0, 0) != 0 || a.handler == SIG_DFL)
                        continue;
                rt_format(add_line(), LINE, "the action of signal %u is %p, flags %p, mask %p", sig,
                          (uint64_t)(uintptr_t)a.handler, a.flags, a.mask);
        }
        rt_format(add_line(), LINE, "the end of data is %p", (uint64_t)rt_syscall6(SYS_brk, 0, 0, 0, 0, 0, 0));
}

static void keep_first(void)
{
        first_memory.n = memory.n;
        for (uint32_t i = 0; i < memory.n; i++) {
                struct piece *p = &first_memory.p[i];
                *p = memory.p[i];
                p->copy = rt_map(p->hi - p->lo);
                rt_copy(p->copy, (const void *)p->lo, p->hi - p->lo);
        }
        first_mappings.n = mappings.n;
        rt_copy(first_mappings.p, mappings.p, mappings.n * sizeof *mappings.p);
        first_state.n = state.n;
        rt_copy(first_state.text, state.text, state.n * sizeof *state.text);
}

static void describe_pieces(char *text, const struct pieces *was, const struct pieces *is)
{
        for (uint32_t i = 0; i < was->n || i < is->n; i++) {
                const struct piece *a = &was->p[i], *b = &is->p[i];
                uintptr_t at = a->lo;

                if (i < was->n && i < is->n && a->lo == b->lo && a->hi == b->hi && a->hash == b->hash)
                        continue;
                if (i >= was->n || i >= is->n || a->lo != b->lo || a->hi != b->hi || !a->copy) {
                        rt_format(text, WIRE_TEXT, "%p to %p %s is %p to %p %s", i < was->n ? a->lo : 0,
                                  i < was->n ? a->hi : 0, i < was->n ? a->name : "", i < is->n ? b->lo : 0,
                                  i < is->n ? b->hi : 0, i < is->n ? b->name : "");
                        return;
                }
                while (at < a->hi && a->copy[at - a->lo] == *(const char *)at)
                        at++;
                rt_format(text, WIRE_TEXT, "at %p, %p bytes into %p %s", (uint64_t)at, (uint64_t)(at - a->lo),
                          (uint64_t)a->lo, a->name);
                return;
        }
}

static void describe_lines(char *text)
{
        for (uint32_t i = 0; i < first_state.n || i < state.n; i++) {
                const char *a = i < first_state.n ? first_state.text[i] : "nothing";
                const char *b = i < state.n ? state.text[i] : "nothing";
                size_t k = 0;

                while (a[k] && a[k] == b[k])
                        k++;
                if (a[k] == b[k])
                        continue;
                rt_format(text, WIRE_TEXT, "%s; it was: %s", b, a);
                return;
        }
}

void fingerprint_take(void)
{
        struct wire_up *up = rt.up;
        uint64_t h = 0;

        rt_own_range(&own_lo, &own_hi);
        memory.n = mappings.n = state.n = 0;
        maps_each(on_mapping, &memory);
        heap_each_used(add_memory, (void *)(uintptr_t) "the heap");
        add_memory((void *)(uintptr_t) "the state of the heap", heap_state, heap_state_size());
        add_memory((void *)(uintptr_t) "the state of random numbers", random_state, random_state_size());
        for (uint32_t i = 0; i < memory.n; i++)
                memory.p[i].hash = hash_piece((const char *)memory.p[i].lo, memory.p[i].hi - memory.p[i].lo);
        descriptor_each(add_descriptor, NULL);
        add_rest();
        for (uint32_t i = 0; i < state.n; i++)
                for (const char *p = state.text[i]; *p; p++)
                        h = hash_mix(h, (unsigned char)*p);
        up->print[WIRE_PRINT_MEMORY] = hash_pieces(&memory);
        up->print[WIRE_PRINT_MAPPINGS] = hash_pieces(&mappings);
        up->print[WIRE_PRINT_KERNEL] = h;
        for (int i = 0; i < WIRE_PRINTS; i++)
                up->print_text[i][0] = 0;
        if (!up->n_prints++) {
                keep_first();
                return;
        }
        describe_pieces(up->print_text[WIRE_PRINT_MEMORY], &first_memory, &memory);
        describe_pieces(up->print_text[WIRE_PRINT_MAPPINGS], &first_mappings, &mappings);
        describe_lines(up->print_text[WIRE_PRINT_KERNEL]);
}
