/* Dynamic relocations.  The file may be anything: libelf checks bounds. */
#include "binary/relocations.h"

static bool each_of(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, relocations_take *f, void *arg)
{
        Elf_Data *data = elf_getdata(section, NULL), *symbols;
        Elf_Scn *table = elf_getscn(elf, header->sh_link);
        GElf_Shdr names;

        symbols = table && gelf_getshdr(table, &names) && names.sh_type == SHT_DYNSYM ? elf_getdata(table, NULL) : NULL;
        for (size_t i = 0; data && symbols && header->sh_entsize && i < header->sh_size / header->sh_entsize; i++) {
                const char *name = NULL;
                GElf_Sym symbol;
                GElf_Rela r;

                if (gelf_getrela(data, (int)i, &r) && gelf_getsym(symbols, (int)GELF_R_SYM(r.r_info), &symbol))
                        name = elf_strptr(elf, names.sh_link, symbol.st_name);
                if (name && *name && !f(arg, name, &r, &symbol))
                        return false;
        }
        return true;
}

bool relocations_each(Elf *elf, relocations_take *f, void *arg)
{
        for (Elf_Scn *section = NULL; elf && (section = elf_nextscn(elf, section));) {
                GElf_Shdr header;
                if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA &&
                    !each_of(elf, section, &header, f, arg))
                        return false;
        }
        return true;
}
