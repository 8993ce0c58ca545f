/*
 * Reads the entries of .eh_frame.  Compilers for x86-64 write addresses in them as 4 bytes relative to the place of the
 * entry; what is not written so gives a range outside of the code, which the caller ignores.
 */
#include "binary/frames.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <string.h>

static bool each_of(Elf *elf, Elf_Data *data, uint64_t addr, bool (*f)(void *arg, uint64_t lo, uint64_t hi), void *arg)
{
        const unsigned char *ident = (const unsigned char *)elf_getident(elf, NULL);
        const uint8_t *from = data->d_buf;
        Dwarf_CFI_Entry entry;
        Dwarf_Off next;

        for (Dwarf_Off at = 0; dwarf_next_cfi(ident, data, true, at, &next, &entry) == 0; at = next) {
                int32_t place, size;
                uint64_t lo;

                if (dwarf_cfi_cie_p(&entry) || entry.fde.end - entry.fde.start < 8)
                        continue;
                memcpy(&place, entry.fde.start, sizeof place);
                memcpy(&size, entry.fde.start + 4, sizeof size);
                lo = addr + (uint64_t)(entry.fde.start - from) + (uint64_t)(int64_t)place;
                if (size > 0 && !f(arg, lo, lo + (uint64_t)size))
                        return false;
        }
        return true;
}

bool frames_each(Elf *elf, bool (*f)(void *arg, uint64_t lo, uint64_t hi), void *arg)
{
        size_t names;

        if (elf_getshdrstrndx(elf, &names) != 0)
                return true;
        for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
                GElf_Shdr header;
                const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
                Elf_Data *data = name && strcmp(name, ".eh_frame") == 0 ? elf_getdata(section, NULL) : NULL;
                if (data && data->d_buf && !each_of(elf, data, header.sh_addr, f, arg))
                        return false;
        }
        return true;
}
