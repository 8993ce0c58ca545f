/*
 * Libraries that the program loads while it runs.  The explorer knows those that are there before main.  When the loader has
 * mapped others, and before their constructors run, the explorer is asked to look at them, once for each place where one is
 * loaded, and their instructions become operations like those of the others (sites.c).
 *
 * The loader tells debuggers of changes by a call of an empty function (r_brk), which is overwritten by a jump to loaded_changed().  So
 * dlopen itself runs as it is, and looks for libraries where its caller's are.
 *
 * Their plain accesses are watched if they need a runtime of ThreadSanitizer or ours.  The loader appends to its list, so what is
 * behind the last one of the start came later.
 */
#include "rt/world/loaded.h"

#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "rt/arch/x86_64/patch.h"
#include "rt/arch/x86_64/sites.h"
#include "rt/notes.h"
#include "rt/rt.h"
#include "rt/sched/exchange.h"
#include "rt/util.h"
#include "rt/world/modules.h"

static const struct link_map *last; /* before main */

static const struct link_map *end_of_list(void)
{
        const struct link_map *m = _r_debug.r_map;

        while (m && m->l_next)
                m = m->l_next;
        return m;
}

static bool contains(const char *text, const char *word)
{
        for (; *text; text++) {
                uint32_t i = 0;
                while (word[i] && text[i] == word[i])
                        i++;
                if (!word[i])
                        return true;
        }
        return false;
}

static bool calls_hooks(const struct link_map *m)
{
        const char *names = NULL;

        for (const ElfW(Dyn) *d = m->l_ld; d->d_tag != DT_NULL; d++)
                if (d->d_tag == DT_STRTAB)
                        names = (const char *)d->d_un.d_ptr;
        for (const ElfW(Dyn) *d = m->l_ld; names && d->d_tag != DT_NULL; d++)
                if (d->d_tag == DT_NEEDED &&
                    (contains(names + d->d_un.d_val, "libheddle-rt.so") || contains(names + d->d_un.d_val, "tsan")))
                        return true;
        return false;
}

static bool is_part_of_libc(const char *path)
{
        return contains(path, "/gconv/") || contains(path, "/libnss_") || contains(path, "/libresolv.so") ||
               contains(path, "/libgcc_s.so") || contains(path, "/libc.so");
}

static bool is_foreign(const struct link_map *m)
{
        return !rt_is_system(m->l_addr) && !is_part_of_libc(m->l_name);
}

static bool same_text(const char *a, const char *b)
{
        while (*a && *a == *b)
                a++, b++;
        return *a == *b;
}

/* The module as the explorer is to find it, wherever the program is by then; false: its name is too long. */
static bool describe(const struct link_map *m, struct wire_module *out)
{
        size_t n = 0, k = 0;

        rt_zero(out, sizeof *out);
        out->base = m->l_addr;
        if (m->l_name[0] != '/') {
                long r = rt_syscall6(SYS_getcwd, (long)out->path, sizeof out->path, 0, 0, 0, 0);

                if (r < 1)
                        return false;
                n = (size_t)r - 1;
                out->path[n++] = '/';
        }
        while (n + 1 < sizeof out->path && m->l_name[k])
                out->path[n++] = m->l_name[k++];
        return !m->l_name[k];
}

/* Is it among those that the explorer has looked at?  Then its instructions are overwritten, unless they are. */
static bool take(const struct wire_module *m)
{
        for (uint32_t i = 0; i < rt.down->n_later && i < WIRE_MAX_LATER; i++)
                if (rt.down->later[i].module.base == m->base && same_text(rt.down->later[i].module.path, m->path)) {
                        sites_load(i);
                        return true;
                }
        return false;
}

static void note(const struct wire_module *m)
{
        struct wire_up *up = rt.up;

        for (uint32_t i = 0; i < up->n_modules && i < WIRE_MAX_MODULES; i++)
                if (up->modules[i].base == m->base && same_text(up->modules[i].path, m->path))
                        return;
        if (up->n_modules < WIRE_MAX_MODULES)
                up->modules[up->n_modules++] = *m;
}

/* Called by the loader, in the thread that loads or unloads. */
static void loaded_changed(void)
{
        if (_r_debug.r_state != RT_CONSISTENT || !rt_cur)
                return;
        for (const struct link_map *m = last->l_next; m; m = m->l_next) {
                struct wire_module module;

                if (!is_foreign(m) || !describe(m, &module) || take(&module))
                        continue;
                if (rt.down->n_later == WIRE_MAX_LATER || rt.down->isolate == WIRE_ISOLATE_DEBUG)
                        continue;
                note(&module);
                exchange_ask();
                take(&module);
        }
}

/* Is the function at r_brk empty, with room behind it up to the next one? */
static bool is_empty(const uint8_t *code, size_t room)
{
        size_t n = code[0] == 0xf3 ? 4 : 0; /* endbr64 */

        if (code[n] != 0xc3)
                return false;
        for (n++; n < room; n++) /* fillings: 0x90, 0xcc, and long forms of nop */
                if (code[n] != 0x90 && code[n] != 0xcc && code[n] != 0x66 && code[n] != 0x2e && code[n] != 0x0f &&
                    code[n] != 0x1f && code[n] != 0x80 && code[n] != 0x84 && code[n] != 0x40 && code[n] != 0x44 &&
                    code[n])
                        return false;
        return true;
}

/* Jumps to loaded_changed() from there. */
static void watch_loader(uintptr_t at)
{
        uint8_t code[] = {0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xe0}; /* mov $..., %rax; jmp *%rax */
        uint64_t to = (uint64_t)(uintptr_t)loaded_changed;
        uintptr_t lo = at & ~(uintptr_t)4095, size = at + sizeof code > lo + 4096 ? 8192 : 4096;

        if (at % 16 || !is_empty((const uint8_t *)at, sizeof code) || !patch_reserve(at) ||
            rt_syscall6(SYS_mprotect, (long)lo, (long)size, PROT_READ | PROT_WRITE, 0, 0, 0))
                return;
        rt_copy(code + 2, &to, sizeof to);
        rt_copy((void *)at, code, sizeof code);
        rt_syscall6(SYS_mprotect, (long)lo, (long)size, PROT_READ | PROT_EXEC, 0, 0, 0);
}

void loaded_init(void)
{
        last = end_of_list();
        if (last && _r_debug.r_brk)
                watch_loader(_r_debug.r_brk);
}

void loaded_look(void)
{
        if (RT_LIKELY(!last || !last->l_next))
                return;
        for (const struct link_map *m = last->l_next; m; m = m->l_next)
                if (is_foreign(m) && !calls_hooks(m))
                        rt_note_incomplete(REASON_LOADED, m->l_name);
}
