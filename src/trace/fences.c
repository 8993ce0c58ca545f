/*
 * Looks for fences in the code of an ELF file, by their bytes: mfence, and the updates of the stack's top that stand for one.
 * Instrumented code has none of its own: fences of the language are calls.
 *
 * Nothing is disassembled, so that other instructions with a lock prefix are not found.
 */
#include "trace/fences.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Bytes of an instruction; at `any` stands a displacement. */
static const struct form {
        const char *name;
        uint8_t length, any, bytes[8];
} forms[] = {
        {"mfence", 3, 0, {0x0f, 0xae, 0xf0}},
        {"lock orl", 5, 0, {0xf0, 0x83, 0x0c, 0x24, 0x00}},
        {"lock addl", 5, 0, {0xf0, 0x83, 0x04, 0x24, 0x00}},
        {"lock orl", 6, 4, {0xf0, 0x83, 0x4c, 0x24, 0x00, 0x00}},
        {"lock addl", 6, 4, {0xf0, 0x83, 0x44, 0x24, 0x00, 0x00}},
        {"lock orq", 6, 0, {0xf0, 0x48, 0x83, 0x0c, 0x24, 0x00}},
        {"lock addq", 6, 0, {0xf0, 0x48, 0x83, 0x04, 0x24, 0x00}},
        {"lock orq", 7, 5, {0xf0, 0x48, 0x83, 0x4c, 0x24, 0x00, 0x00}},
        {"lock addq", 7, 5, {0xf0, 0x48, 0x83, 0x44, 0x24, 0x00, 0x00}},
};

static bool matches(const struct form *f, const uint8_t *at, size_t left)
{
        if (left < f->length)
                return false;
        for (uint8_t i = 0; i < f->length; i++)
                if (at[i] != f->bytes[i] && !(f->any && i == f->any))
                        return false;
        return true;
}

/* The first one in a section; its offset in it. */
static const struct form *find(const uint8_t *code, size_t size, size_t *offset)
{
        for (size_t i = 0; i < size; i++) {
                if (code[i] != 0x0f && code[i] != 0xf0)
                        continue;
                for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
                        if (matches(&forms[k], code + i, size - i)) {
                                *offset = i;
                                return &forms[k];
                        }
                }
        }
        return NULL;
}

/* The function at an address, or NULL; its name lives as long as `elf`. */
static const char *function_at(Elf *elf, uint64_t addr)
{
        for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s));) {
                GElf_Shdr header;
                GElf_Sym symbol;
                Elf_Data *data;

                if (!gelf_getshdr(s, &header) || header.sh_type != SHT_SYMTAB || !header.sh_entsize)
                        continue;
                data = elf_getdata(s, NULL);
                for (size_t i = 0; data && i < header.sh_size / header.sh_entsize; i++)
                        if (gelf_getsym(data, (int)i, &symbol) && addr - symbol.st_value < symbol.st_size)
                                return elf_strptr(elf, header.sh_link, symbol.st_name);
        }
        return NULL;
}

bool fences_find(const char *path, char *text, size_t size)
{
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        const struct form *form = NULL;

        if (fd < 0)
                return false;
        Elf *elf = elf_version(EV_CURRENT) == EV_NONE ? NULL : elf_begin(fd, ELF_C_READ, NULL);
        for (Elf_Scn *s = NULL; elf && !form && (s = elf_nextscn(elf, s));) {
                GElf_Shdr header;
                Elf_Data *data;
                size_t offset;

                if (!gelf_getshdr(s, &header) || header.sh_type != SHT_PROGBITS || !(header.sh_flags & SHF_EXECINSTR))
                        continue;
                data = elf_getdata(s, NULL);
                form = data && data->d_buf ? find(data->d_buf, data->d_size, &offset) : NULL;
                if (form) {
                        const char *name = function_at(elf, header.sh_addr + offset);
                        snprintf(text, size, "%s in %s()", form->name, name ? name : "a function without a name");
                }
        }
        elf_end(elf);
        close(fd);
        return form != NULL;
}
