/*
 * Reads dynamic relocations and symbols.  Versions of symbols are ignored: the first module that defines a name is taken, as
 * the loader does where there is only one version.
 */
#include "binary/imports.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

#include "base/search.h"
#include "binary/relocations.h"

struct file {
        int fd;
        Elf *elf;
};

static struct file open_file(const char *path)
{
        struct file f = {.fd = open(path, O_RDONLY | O_CLOEXEC)};

        if (f.fd >= 0 && elf_version(EV_CURRENT) != EV_NONE)
                f.elf = elf_begin(f.fd, ELF_C_READ, NULL);
        return f;
}

static void close_file(struct file *f)
{
        elf_end(f->elf);
        if (f->fd >= 0)
                close(f->fd);
}

static bool leads_to_function(const GElf_Rela *r, const GElf_Sym *symbol)
{
        uint32_t how = GELF_R_TYPE(r->r_info), type = GELF_ST_TYPE(symbol->st_info);

        return (how == R_X86_64_JUMP_SLOT || how == R_X86_64_GLOB_DAT) && symbol->st_shndx == SHN_UNDEF &&
               (type == STT_FUNC || type == STT_NOTYPE);
}

struct taking {
        struct imports *m;
        uint64_t base;
};

static bool take_slot(void *arg, const char *name, const GElf_Rela *r, const GElf_Sym *symbol)
{
        const struct taking *t = arg;
        char *copy;

        if (!leads_to_function(r, symbol))
                return true;
        copy = strdup(name);
        if (!copy || !vec_reserve(&t->m->all, 1)) {
                free(copy);
                return false;
        }
        *vec_push(&t->m->all) = (struct import){copy, t->base + r->r_offset, IMPORT_UNKNOWN};
        return true;
}

static int by_name(const void *a, const void *b)
{
        const struct import *x = a, *y = b;

        return strcmp(x->name, y->name);
}

int imports_add(struct imports *m, const char *path, uint64_t base)
{
        struct taking t = {m, base};
        struct file f = open_file(path);
        bool ok = relocations_each(f.elf, take_slot, &t);

        close_file(&f);
        if (m->all.n)
                qsort(m->all.at, m->all.n, sizeof *m->all.at, by_name);
        return ok ? 0 : -1;
}

/* All imports of this name: several modules may have one. */
static void define(struct imports *m, const char *name, uint32_t definer)
{
        uint32_t at = SEARCH(i, m->all.n, strcmp(m->all.at[i].name, name) < 0);

        for (; at < m->all.n && strcmp(m->all.at[at].name, name) == 0; at++)
                if (m->all.at[at].definer == IMPORT_UNKNOWN)
                        m->all.at[at].definer = definer;
}

/* Calls f for each symbol that the file defines for others. */
static void each_defined(const char *path, void (*f)(void *arg, const char *name, const GElf_Sym *symbol), void *arg)
{
        struct file file = open_file(path);

        for (Elf_Scn *s = NULL; file.elf && (s = elf_nextscn(file.elf, s));) {
                GElf_Shdr header;
                Elf_Data *data;

                if (!gelf_getshdr(s, &header) || header.sh_type != SHT_DYNSYM)
                        continue;
                data = elf_getdata(s, NULL);
                for (size_t i = 0; data && header.sh_entsize && i < header.sh_size / header.sh_entsize; i++) {
                        const char *name = NULL;
                        GElf_Sym symbol;

                        if (gelf_getsym(data, (int)i, &symbol) && symbol.st_shndx != SHN_UNDEF &&
                            GELF_ST_BIND(symbol.st_info) != STB_LOCAL)
                                name = elf_strptr(file.elf, header.sh_link, symbol.st_name);
                        if (name)
                                f(arg, name, &symbol);
                }
        }
        close_file(&file);
}

struct definition {
        struct imports *imports;
        uint32_t definer;
};

static void define_one(void *arg, const char *name, const GElf_Sym *symbol)
{
        struct definition *d = arg;

        (void)symbol;
        define(d->imports, name, d->definer);
}

void imports_define(struct imports *m, const char *path, uint32_t definer)
{
        each_defined(path, define_one, &(struct definition){m, definer});
}

struct wanted {
        const char *name;
        uint64_t value;
};

static void take_value(void *arg, const char *name, const GElf_Sym *symbol)
{
        struct wanted *w = arg;

        if (strcmp(name, w->name) == 0)
                w->value = symbol->st_value;
}

uint64_t imports_address(const char *path, uint64_t base, const char *name)
{
        struct wanted w = {.name = name};

        each_defined(path, take_value, &w);
        return w.value ? base + w.value : 0;
}

void imports_fini(struct imports *m)
{
        for (uint32_t i = 0; i < m->all.n; i++)
                free(m->all.at[i].name);
        vec_fini(&m->all);
}
