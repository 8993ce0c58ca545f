/* See modules.h. */
#include "rt/world/modules.h"

#include <link.h>
#include <sys/syscall.h>

#include "rt/memory/heap.h"
#include "rt/rt.h"
#include "rt/util.h"

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
        if (heap_has(addr))
                return false;
        for (uint32_t i = 0; i < n_constant; i++)
                if (addr >= constant_range[i].lo && addr < constant_range[i].hi)
                        return size <= constant_range[i].hi - addr;
        return false;
}

bool rt_site_in_rt(uintptr_t pc)
{
        return pc >= rt_text_range.lo && pc < rt_text_range.hi;
}

uintptr_t rt_executable_lo, rt_executable_size;

void rt_own_range(uintptr_t *lo, uintptr_t *hi)
{
        *lo = rt_text_range.lo & ~(uintptr_t)4095;
        *hi = (rt_text_range.hi + 4095) & ~(uintptr_t)4095;
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
        if (!up->n_modules) { /* the first one */
                rt_executable_lo = r.lo;
                rt_executable_size = r.hi - r.lo;
        }
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

void modules_init(void)
{
        dl_iterate_phdr(note_module, NULL);
}
