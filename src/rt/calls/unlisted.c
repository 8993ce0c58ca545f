/*
 * Unknown calls of libc: neither wrapped, nor listed in calls.def or harmless.def.
 *
 * Before the first thread starts, the slots by which the program and the libraries that come with it reach libc are
 * walked.  A slot that holds a function of libc itself leads around the runtime; unless harmless.def has its name, it
 * is made to hold a stub that names the function if it is called while a thread is not joined, and continues there.
 *
 * Not seen: functions that dlsym() finds, and libraries that are loaded later (dlopen is not listed, so its call is
 * named).  All of libm is harmless but for its rows in calls.def, since nothing else there takes a pointer; what ld.so and
 * the compilers' libraries offer is not part of libc.
 */
#include "rt/calls/unlisted.h"

#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/search.h"
#include "rt/map.h"
#include "rt/notes.h"
#include "rt/real.h"
#include "rt/thread/thread.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/world/modules.h"

#define STUB      32u
#define MAX_STUBS 1024u
#define PAGE      4096u

static const char *const harmless[] = {
#define HARMLESS(name) #name,
#include "rt/calls/harmless.def"
#undef HARMLESS
};

/* What a stub hands to unlisted_enter. */
struct unlisted {
        void *real;
        const char *name;
};

static struct unlisted known[MAX_STUBS];
static uint32_t n_known;
static uint8_t *stubs;

static uintptr_t code_lo, code_hi; /* of libc */

extern char unlisted_enter[] __attribute__((visibility("hidden")));

/* Called by unlisted_enter only. */
void *unlisted_target(const struct unlisted *u) __attribute__((visibility("hidden"), used));
void *unlisted_target(const struct unlisted *u)
{
        if (rt_cur && rt.live && thread_has_others(rt_cur))
                rt_note_incomplete(REASON_CALL, u->name);
        return u->real;
}

static int compare(const char *a, const char *b)
{
        while (*a && *a == *b) {
                a++;
                b++;
        }
        return (unsigned char)*a - (unsigned char)*b;
}

static bool is_harmless(const char *name)
{
        uint32_t n = sizeof harmless / sizeof *harmless, at = SEARCH(i, n, compare(harmless[i], name) < 0);

        return at < n && !compare(harmless[at], name);
}

/* One stub for each function, so that its address is the same everywhere. */
static void *stub_of(void *real, const char *name)
{
        struct unlisted *u;
        uint8_t *s;
        uint64_t data, enter = (uint64_t)(uintptr_t)unlisted_enter;
        uint32_t i = 0;

        while (i < n_known && known[i].real != real)
                i++;
        s = stubs + i * STUB;
        if (i < n_known || i == MAX_STUBS)
                return i < n_known ? s : real;
        u = &known[n_known++];
        *u = (struct unlisted){real, name};
        data = (uint64_t)(uintptr_t)u;
        s[0] = 0x49; /* movabs $data, %r11; movabs $enter, %r10; jmp *%r10 */
        s[1] = 0xbb;
        rt_copy(s + 2, &data, 8);
        s[10] = 0x49;
        s[11] = 0xba;
        rt_copy(s + 12, &enter, 8);
        s[20] = 0x41;
        s[21] = 0xff;
        s[22] = 0xe2;
        return s;
}

static bool protect(uintptr_t at, int prot)
{
        return !rt_syscall6(SYS_mprotect, (long)(at & ~(uintptr_t)(PAGE - 1)), PAGE, prot, 0, 0, 0);
}

/* Slots may lie in pages that are read only by now; the loader writes none of them again. */
static void patch(uintptr_t slot, void *to, uintptr_t relro_lo, uintptr_t relro_hi)
{
        bool read_only = slot >= relro_lo && slot < relro_hi;

        if (read_only && !protect(slot, PROT_READ | PROT_WRITE))
                return;
        *(void **)slot = to;
        if (read_only)
                protect(slot, PROT_READ);
}

/* The dynamic section of a module. */
struct module {
        uintptr_t base, relro_lo, relro_hi;
        const ElfW(Sym) * symbols;
        const char *names;
        const ElfW(Rela) * rela[2];
        size_t size[2];
};

static const char *const accepting[] = {"sigwait", "sigwaitinfo", "sigtimedwait", "signalfd"};
static const char *const sending[] = {
        "pthread_kill", "pthread_sigqueue", "tgkill",    "kill",  "killpg",       "sigqueue",
        "alarm",        "ualarm",           "setitimer", "pause", "timer_create", "sigsuspend"};

static bool is_one_of(const char *name, const char *const *list, size_t n)
{
        for (size_t i = 0; i < n; i++)
                if (compare(name, list[i]) == 0)
                        return true;
        return false;
}

struct wanted {
        const char *const *functions;
        size_t n;
        bool found;
};

static void walk_for(const struct module *m, const ElfW(Rela) * r, size_t n, struct wanted *w)
{
        for (; n && !w->found; n--, r++) {
                uint32_t sym = ELF64_R_SYM(r->r_info);

                if (sym && m->symbols[sym].st_shndx == SHN_UNDEF)
                        w->found = is_one_of(m->names + m->symbols[sym].st_name, w->functions, w->n);
        }
}

static void walk(const struct module *m, const ElfW(Rela) * r, size_t n)
{
        for (; n; n--, r++) {
                uint32_t type = ELF64_R_TYPE(r->r_info), sym = ELF64_R_SYM(r->r_info);
                uintptr_t slot = m->base + r->r_offset, value;
                const char *name;

                if (!sym || (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT && type != R_X86_64_64))
                        continue;
                if (m->symbols[sym].st_shndx != SHN_UNDEF)
                        continue;
                value = *(uintptr_t *)slot;
                name = m->names + m->symbols[sym].st_name;
                rt.accepts_signals |= is_one_of(name, accepting, sizeof accepting / sizeof *accepting);
                rt.sends_signals |= is_one_of(name, sending, sizeof sending / sizeof *sending);
                if (value >= code_lo && value < code_hi && !(type == R_X86_64_64 && r->r_addend) && !is_harmless(name))
                        patch(slot, stub_of((void *)value, name), m->relro_lo, m->relro_hi);
        }
}

/* The loader has made the addresses of a dynamic section absolute. */
static void read_dynamic(struct module *m, const ElfW(Dyn) * d)
{
        for (; d->d_tag != DT_NULL; d++)
                switch (d->d_tag) {
                case DT_SYMTAB: m->symbols = (const ElfW(Sym) *)d->d_un.d_ptr; break;
                case DT_STRTAB: m->names = (const char *)d->d_un.d_ptr; break;
                case DT_JMPREL: m->rela[0] = (const ElfW(Rela) *)d->d_un.d_ptr; break;
                case DT_PLTRELSZ: m->size[0] = d->d_un.d_val; break;
                case DT_RELA: m->rela[1] = (const ElfW(Rela) *)d->d_un.d_ptr; break;
                case DT_RELASZ: m->size[1] = d->d_un.d_val; break;
                default: break;
                }
}

/* arg: a struct wanted, NULL: slots are patched. */
static int look(struct dl_phdr_info *info, size_t size, void *arg)
{
        struct module m = {.base = info->dlpi_addr};
        const ElfW(Dyn) *dynamic = NULL;
        uintptr_t first = UINTPTR_MAX;

        (void)size;
        for (int i = 0; i < info->dlpi_phnum; i++) {
                const ElfW(Phdr) *p = &info->dlpi_phdr[i];
                uintptr_t at = info->dlpi_addr + p->p_vaddr;

                if (p->p_type == PT_LOAD && at < first)
                        first = at;
                if (p->p_type == PT_DYNAMIC)
                        dynamic = (const ElfW(Dyn) *)at;
                if (p->p_type == PT_GNU_RELRO) {
                        m.relro_lo = at & ~(uintptr_t)(PAGE - 1);
                        m.relro_hi = at + p->p_memsz;
                }
        }
        if (!dynamic || rt_is_system(first) || rt_site_in_rt(first))
                return 0;
        read_dynamic(&m, dynamic);
        if (!m.symbols || !m.names || (uintptr_t)m.symbols < m.base) /* the kernel's own module is not relocated */
                return 0;
        for (int i = 0; i < 2; i++)
                if (m.rela[i] && arg)
                        walk_for(&m, m.rela[i], m.size[i] / sizeof *m.rela[i], arg);
                else if (m.rela[i])
                        walk(&m, m.rela[i], m.size[i] / sizeof *m.rela[i]);
        return 0;
}

/* libc's code: of the segments that are executable, the one that holds a function of its own. */
static int find_libc(struct dl_phdr_info *info, size_t size, void *arg)
{
        uintptr_t of = (uintptr_t)arg;

        (void)size;
        for (int i = 0; i < info->dlpi_phnum; i++) {
                const ElfW(Phdr) *p = &info->dlpi_phdr[i];
                uintptr_t at = info->dlpi_addr + p->p_vaddr;

                if (p->p_type == PT_LOAD && (p->p_flags & PF_X) && of >= at && of < at + p->p_memsz) {
                        code_lo = at;
                        code_hi = at + p->p_memsz;
                }
        }
        return 0;
}

bool unlisted_imports(const char *const *functions, size_t n)
{
        struct wanted w = {functions, n, false};

        dl_iterate_phdr(look, &w);
        return w.found;
}

void unlisted_init(void)
{
        stubs = rt_map(MAX_STUBS * STUB);
        dl_iterate_phdr(find_libc, rt_real("abort"));
        dl_iterate_phdr(look, NULL);
        rt_syscall6(SYS_mprotect, (long)stubs, MAX_STUBS * STUB, PROT_READ | PROT_EXEC, 0, 0, 0);
}
