/*
 * Goes through the functions of an ELF file, instruction by instruction.
 *
 * Where a function begins and ends is told by the symbol table.  Code of which the table does not tell the size, all of a
 * file without a table, and what follows bytes that are no instruction, may be data or begin in the middle of an
 * instruction: what is found there is never called known, since the runtime writes over what is known.
 */
#include "trace/locked.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"

/* Code to go through: a function, or a section without symbols. */
struct stretch {
        uint64_t lo, hi; /* hi 0: up to the next one */
        bool sure;
};

typedef VEC(struct stretch) stretches;

/* A section of code. */
struct code {
        uint64_t lo, hi;
        const uint8_t *bytes;
};

struct scan {
        uint64_t base;
        void (*f)(void *arg, const struct locked *l);
        void *arg;
        VEC(struct code) code;
        stretches todo;
};

static int by_address(const void *a, const void *b)
{
        const struct stretch *x = a, *y = b;

        if (x->lo != y->lo)
                return x->lo < y->lo ? -1 : 1;
        return x->hi > y->hi ? -1 : x->hi < y->hi;
}

static bool add(stretches *all, uint64_t lo, uint64_t hi, bool sure)
{
        if (!vec_reserve(all, 1))
                return false;
        *vec_push(all) = (struct stretch){lo, hi, sure};
        return true;
}

static const struct code *code_at(const struct scan *s, uint64_t addr)
{
        for (uint32_t i = 0; i < s->code.n; i++)
                if (addr >= s->code.at[i].lo && addr < s->code.at[i].hi)
                        return &s->code.at[i];
        return NULL;
}

static bool take_code(struct scan *s, Elf_Scn *section, const GElf_Shdr *header)
{
        Elf_Data *data = elf_getdata(section, NULL);

        if (!data || !data->d_buf)
                return true;
        if (!vec_reserve(&s->code, 1))
                return false;
        *vec_push(&s->code) = (struct code){header->sh_addr, header->sh_addr + data->d_size, data->d_buf};
        return true;
}

static bool take_symbols(struct scan *s, Elf_Scn *section, const GElf_Shdr *header)
{
        Elf_Data *data = elf_getdata(section, NULL);

        for (size_t i = 0; data && header->sh_entsize && i < header->sh_size / header->sh_entsize; i++) {
                GElf_Sym symbol;
                uint32_t type;

                if (!gelf_getsym(data, (int)i, &symbol) || !code_at(s, symbol.st_value))
                        continue;
                type = GELF_ST_TYPE(symbol.st_info);
                if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE)
                        continue;
                if (!add(&s->todo, symbol.st_value, symbol.st_size ? symbol.st_value + symbol.st_size : 0,
                         type != STT_NOTYPE && symbol.st_size))
                        return false;
        }
        return true;
}

static void go_through(const struct scan *s, const struct code *c, struct stretch t)
{
        struct locked l = {0};
        size_t n;

        for (uint64_t at = t.lo; at < t.hi; at += n) {
                enum x86_kind kind;

                n = x86_look(c->bytes + (at - c->lo), (size_t)(t.hi - at), s->base + at, &kind, &l.at, l.name);
                if (n == 0) {
                        t.sure = false;
                        n = 1;
                }
                if (kind == X86_PLAIN)
                        continue;
                l.known = kind == X86_KNOWN && t.sure;
                s->f(s->arg, &l);
        }
}

/* Functions may have several names, and labels stand inside of them: what has been seen is not looked at again. */
static void go_through_all(struct scan *s)
{
        uint64_t seen = 0;

        if (s->todo.n)
                qsort(s->todo.at, s->todo.n, sizeof *s->todo.at, by_address);
        for (uint32_t i = 0; i < s->todo.n; i++) {
                struct stretch t = s->todo.at[i];
                const struct code *c = code_at(s, t.lo);

                if (t.lo < seen)
                        continue;
                for (uint32_t k = i + 1; t.hi == 0 && k < s->todo.n; k++)
                        if (s->todo.at[k].lo > t.lo)
                                t.hi = s->todo.at[k].lo;
                if (t.hi == 0 || t.hi > c->hi)
                        t.hi = c->hi;
                go_through(s, c, t);
                seen = t.hi;
        }
}

static bool take_sections(struct scan *s, Elf *elf, uint32_t type,
                          bool (*take)(struct scan *, Elf_Scn *, const GElf_Shdr *))
{
        for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
                GElf_Shdr header;

                if (!gelf_getshdr(section, &header) || header.sh_type != type)
                        continue;
                if (type == SHT_PROGBITS && !(header.sh_flags & SHF_EXECINSTR))
                        continue;
                if (!take(s, section, &header))
                        return false;
        }
        return true;
}

int locked_find(const char *path, uint64_t base, void (*f)(void *arg, const struct locked *l), void *arg)
{
        struct scan s = {.base = base, .f = f, .arg = arg};
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        Elf *elf = fd < 0 || elf_version(EV_CURRENT) == EV_NONE ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
        bool ok = !elf ||
                  (take_sections(&s, elf, SHT_PROGBITS, take_code) && take_sections(&s, elf, SHT_SYMTAB, take_symbols));

        for (uint32_t i = 0, none = !s.todo.n; ok && none && i < s.code.n; i++)
                ok = add(&s.todo, s.code.at[i].lo, s.code.at[i].hi, false);
        if (ok)
                go_through_all(&s);
        vec_fini(&s.todo);
        vec_fini(&s.code);
        elf_end(elf);
        if (fd >= 0)
                close(fd);
        return ok ? 0 : -1;
}
