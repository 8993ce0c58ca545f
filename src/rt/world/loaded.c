/*
 * Libraries that the program loads while it runs.  The explorer knows those that are there before main; of others it is enough to
 * know whether they call hooks, which is so if they need a runtime of ThreadSanitizer or ours.
 *
 * The loader appends to its list, so what is behind the last one of the start came later.
 */
#include "rt/world/loaded.h"

#include <link.h>

#include "rt/notes.h"
#include "rt/rt.h"
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

void loaded_init(void)
{
        last = end_of_list();
}

void loaded_look(void)
{
        if (RT_LIKELY(!last || !last->l_next))
                return;
        for (const struct link_map *m = last->l_next; m; m = m->l_next)
                if (!rt_is_system(m->l_addr) && !is_part_of_libc(m->l_name) && !calls_hooks(m))
                        rt_note_incomplete(REASON_LOADED, m->l_name);
}
