/*
 * Reads from an ELF file what a scan of its code needs: which slots of the global offset table lead to hooks, and which
 * memory is constant.
 *
 * The compiler is known by the section .comment, which both write: an instrumented module with code by clang is taken to be
 * clang's as a whole.  Code by gcc in it then counts as less announced than it is, never as more.
 */
#include "binary/announced.h"

#include <gelf.h>
#include <string.h>

#include "binary/relocations.h"

static bool begins(const char *s, const char *with)
{
        return strncmp(s, with, strlen(with)) == 0;
}

/* "read8", "unaligned_volatile_write4", "read_write2", "vptr_update", "write_range"; others announce no access of the code
 * that calls them.  But clang leaves an atomic load in the code beside the hook that performs it, and ignores its result. */
static struct announced_hook hook_of(const char *name)
{
        struct announced_hook h = {0};
        char *end;
        unsigned long bits = begins(name, "atomic") ? strtoul(name + strlen("atomic"), &end, 10) : 0;
        bool read, write;
        uint8_t size = 0;

        if (bits && strcmp(end, "_load") == 0)
                h.reads = (uint8_t)(bits / 8);
        if (bits)
                return h;
        name += begins(name, "unaligned_") ? strlen("unaligned_") : 0;
        name += begins(name, "volatile_") ? strlen("volatile_") : 0;
        read = begins(name, "read") || begins(name, "vptr_read");
        write = begins(name, "write") || begins(name, "read_write") || begins(name, "vptr_update");
        if (begins(name, "vptr_"))
                size = 8;
        else if (strstr(name, "_range"))
                size = ANNOUNCED_RANGE;
        else if (read || write)
                size = (uint8_t)atoi(name + strcspn(name, "0123456789"));
        h.reads = read ? size : 0;
        h.writes = write ? size : 0;
        return h;
}

static bool take_hook(void *arg, const char *name, const GElf_Rela *r, const GElf_Sym *symbol)
{
        static const char prefix[] = "__tsan_";
        struct announced *a = arg;

        (void)symbol;
        a->transactions |= strcmp(name, "heddle_rt_xbegin") == 0;
        if (!begins(name, prefix))
                return true;
        if (!vec_reserve(&a->hooks, 1))
                return false;
        *vec_push(&a->hooks) = hook_of(name + strlen(prefix));
        a->hooks.at[a->hooks.n - 1].slot = r->r_offset;
        return true;
}

/* What the loader writes before the program runs is constant, too. */
static bool take_constant(struct announced *a, const GElf_Shdr *header, const char *name)
{
        if (!(header->sh_flags & SHF_ALLOC) || !header->sh_size)
                return true;
        if (header->sh_flags & SHF_WRITE && !begins(name, ".got") && !begins(name, ".data.rel.ro"))
                return true;
        if (!vec_reserve(&a->constants, 1))
                return false;
        *vec_push(&a->constants) = (struct announced_constant){header->sh_addr, header->sh_addr + header->sh_size};
        return true;
}

static bool mentions_clang(Elf_Scn *section)
{
        Elf_Data *data = elf_getdata(section, NULL);

        return data && data->d_buf && memmem(data->d_buf, data->d_size, "clang", 5);
}

static int by_slot(const void *a, const void *b)
{
        const struct announced_hook *x = a, *y = b;

        return x->slot < y->slot ? -1 : x->slot > y->slot;
}

int announced_init(struct announced *a, Elf *elf)
{
        GElf_Ehdr file;
        size_t names;

        memset(a, 0, sizeof *a);
        if (elf_getshdrstrndx(elf, &names) != 0 || !gelf_getehdr(elf, &file))
                return 0;
        a->fixed = file.e_type == ET_EXEC;
        if (!relocations_each(elf, take_hook, a))
                return -1;
        for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
                GElf_Shdr header;
                const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
                if (!name)
                        continue;
                if (!take_constant(a, &header, name))
                        return -1;
                if (strcmp(name, ".comment") == 0)
                        a->adjacent = mentions_clang(section);
        }
        if (a->hooks.n)
                qsort(a->hooks.at, a->hooks.n, sizeof *a->hooks.at, by_slot);
        return 0;
}

void announced_fini(struct announced *a)
{
        vec_fini(&a->hooks);
        vec_fini(&a->constants);
        vec_fini(&a->targets);
        vec_fini(&a->missing);
}
