/*
 * See whole.h.  Invariant: a program counts as whole (`foreign` is false) only if each function of its symbol table is one of the
 * modules, a plain body of one (instrument/clone.h), or of the start files, and if each call of a function of the modules
 * goes there: no other object has replaced it.
 */
#include "static/whole.h"

#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/start_functions.h"
#include "instrument/pass.h"

#define PLAIN ".plain"
#define WRAP  "__wrap_"

/* A section of symbols, and the functions among them. */
struct table {
        struct whole *whole;
        Elf *elf;
        struct name_set functions;
};

static void foreign(struct whole *w, const char *name, size_t length)
{
        if (!w->foreign)
                snprintf(w->foreign_name, sizeof w->foreign_name, "%.*s", (int)length, name);
        w->foreign = true;
}

/* The length of a function's name without the end that its plain body has (instrument/clone.h). */
static size_t plain_of(const char *name)
{
        size_t n = strlen(name), end = strlen(PLAIN);

        return n > end && strcmp(name + n - end, PLAIN) == 0 ? n - end : n;
}

/* What every program has, and what the instrumenter or clang adds. */
static bool is_added(const char *name)
{
        return pass_begins(name, "tsan.") || pass_begins(name, "__heddle_") || start_function(name);
}

/* Code of an assembler has no type. */
static bool is_code(Elf *elf, const GElf_Sym *s)
{
        int type = GELF_ST_TYPE(s->st_info);
        Elf_Scn *section = type == STT_NOTYPE ? elf_getscn(elf, s->st_shndx) : NULL;
        GElf_Shdr header;

        return type == STT_FUNC || type == STT_GNU_IFUNC ||
               (section && gelf_getshdr(section, &header) && (header.sh_flags & SHF_EXECINSTR));
}

/* A global definition is that of a module only if one has it that no other object may replace. */
static void symbol(struct table *t, const GElf_Sym *s, const char *name)
{
        size_t length = plain_of(name);

        if (is_added(name) || !is_code(t->elf, s))
                return;
        name_set_add(&t->functions, name);
        if (GELF_ST_BIND(s->st_info) == STB_GLOBAL && !name_set_count(&t->whole->strong, name, length))
                foreign(t->whole, name, length);
}

/* More functions of a name than modules that define one. */
static void count_all(struct table *t)
{
        const struct name_set *f = &t->functions;

        name_set_sort(&t->functions);
        for (uint32_t i = 0, n; i < f->all.n; i += n) {
                const char *name = f->all.at[i];
                size_t length = plain_of(name);

                n = name_set_count(f, name, strlen(name));
                if (n > name_set_count(&t->whole->functions, name, length))
                        foreign(t->whole, name, length);
        }
        name_set_fini(&t->functions);
}

/* With --wrap the linker sends calls of a function to another one. */
static void find_wrapped(struct whole *w, LLVMModuleRef linked)
{
        for (uint32_t i = 0; i < w->functions.all.n; i++) {
                const char *name = w->functions.all.at[i];
                if (pass_begins(name, WRAP) && LLVMGetNamedFunction(linked, name + strlen(WRAP)))
                        foreign(w, name, strlen(name));
        }
}

void whole_find(struct whole *w, LLVMModuleRef linked, Elf *elf)
{
        struct table t = {w, elf, {{0}}};
        bool any = false;

        for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
                GElf_Shdr header;
                Elf_Data *data = elf_getdata(section, NULL);
                GElf_Sym s;

                if (!gelf_getshdr(section, &header) || !data ||
                    (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
                        continue;
                any |= header.sh_type == SHT_SYMTAB;
                for (int i = 0; gelf_getsym(data, i, &s); i++) {
                        const char *name = elf_strptr(elf, header.sh_link, s.st_name);
                        if (!name || !name[0] || s.st_shndx == SHN_UNDEF)
                                continue;
                        if (header.sh_type == SHT_DYNSYM)
                                name_set_add(&w->exported, name);
                        else
                                symbol(&t, &s, name);
                }
        }
        count_all(&t);
        find_wrapped(w, linked);
        if (!any)
                foreign(w, "(a program without symbols)", strlen("(a program without symbols)"));
}

void whole_fini(struct whole *w)
{
        name_set_fini(&w->functions);
        name_set_fini(&w->strong);
        name_set_fini(&w->exported);
}
