/* Finds the function of a site in an ELF file, and what its calls lead to, for liveness.c. */
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "binary/liveness.h"
#include "binary/relocations.h"
#include "binary/start_files.h"
#include "binary/x86_decode.h"

#define MAX_OBJECTS 256u

/* A slot of the global offset table that leads to a function of this name. */
struct slot {
        uint64_t addr;
        enum liveness_call call;
        uint32_t size;
};

struct section {
        uint64_t lo, hi;
        const uint8_t *bytes;
};

struct file {
        VEC(struct slot) slots;
        VEC(struct section) code;
        uint64_t lo, hi; /* the function */
};

static bool begins(const char *s, const char *with)
{
        return strncmp(s, with, strlen(with)) == 0;
}

static struct slot slot_of(const char *name)
{
        static const char atomic[] = "__tsan_atomic";
        char *end;

        if (begins(name, atomic) && strstr(name, "_compare_exchange_") && !strstr(name, "_val"))
                return (struct slot){.call = LIVENESS_CAS,
                                     .size = (uint32_t)strtoul(name + sizeof atomic - 1, &end, 10) / 8};
        if (begins(name, "__heddle_access"))
                return (struct slot){.call = LIVENESS_KEEPS};
        if (begins(name, "__tsan_"))
                return (struct slot){.call = LIVENESS_HOOK};
        if (strstr(name, "setjmp") || strstr(name, "getcontext") || strcmp(name, "vfork") == 0)
                return (struct slot){.call = LIVENESS_RETURNS_TWICE};
        return (struct slot){.call = LIVENESS_ANY};
}

static bool take_slot(void *arg, const char *name, const GElf_Rela *r, const GElf_Sym *symbol)
{
        struct file *f = arg;
        struct slot s = slot_of(name);

        (void)symbol;
        if (s.call == LIVENESS_ANY)
                return true;
        if (!vec_reserve(&f->slots, 1))
                return false;
        s.addr = r->r_offset;
        *vec_push(&f->slots) = s;
        return true;
}

static const uint8_t *bytes_at(const struct file *f, uint64_t addr, size_t *left)
{
        for (uint32_t i = 0; i < f->code.n; i++) {
                const struct section *s = &f->code.at[i];

                if (addr >= s->lo && addr < s->hi) {
                        *left = (size_t)(s->hi - addr);
                        return s->bytes + (addr - s->lo);
                }
        }
        return NULL;
}

/* The slot that the code of the linkage table at this address jumps through, 0: it is none. */
static uint64_t slot_behind(const struct file *f, uint64_t addr)
{
        ZydisDecodedOperand o[ZYDIS_MAX_OPERAND_COUNT];
        ZydisDecodedInstruction d;
        ZydisDecoder decoder;
        const uint8_t *code;
        size_t left;

        ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
        for (int depth = 0; depth < 2; depth++, addr += d.length) {
                code = bytes_at(f, addr, &left);
                if (!code || !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, left, &d, o)))
                        return 0;
                if (d.meta.category == ZYDIS_CATEGORY_UNCOND_BR && d.operand_count_visible &&
                    o[0].type == ZYDIS_OPERAND_TYPE_MEMORY && o[0].mem.base == ZYDIS_REGISTER_RIP)
                        return addr + d.length + (uint64_t)o[0].mem.disp.value;
                if (d.mnemonic != ZYDIS_MNEMONIC_ENDBR64)
                        return 0;
        }
        return 0;
}

static enum liveness_call call_of(const void *arg, uint64_t target, uint64_t slot, uint32_t *size)
{
        const struct file *f = arg;

        if (!slot && target)
                slot = slot_behind(f, target);
        for (uint32_t i = 0; i < f->slots.n && slot; i++)
                if (f->slots.at[i].addr == slot) {
                        *size = f->slots.at[i].size;
                        return f->slots.at[i].call;
                }
        return LIVENESS_ANY;
}

/* The function that has the byte before the site.  One that was split has a frame that does not begin with it. */
static bool take_function(struct file *f, Elf *elf, Elf_Scn *section, const GElf_Shdr *header, uint64_t site)
{
        Elf_Data *data = elf_getdata(section, NULL);

        for (size_t i = 0; data && header->sh_entsize && i < header->sh_size / header->sh_entsize; i++) {
                const char *name;
                GElf_Sym s;

                if (!gelf_getsym(data, (int)i, &s) || GELF_ST_TYPE(s.st_info) != STT_FUNC || site <= s.st_value ||
                    site > s.st_value + s.st_size)
                        continue;
                name = elf_strptr(elf, header->sh_link, s.st_name);
                f->lo = s.st_value;
                f->hi = s.st_value + s.st_size;
                return name && !strstr(name, ".cold");
        }
        return false;
}

static bool read_file(struct file *f, Elf *elf, uint64_t site)
{
        bool found = false;

        if (!relocations_each(elf, take_slot, f))
                return false;
        for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
                GElf_Shdr header;
                Elf_Data *data;

                if (!gelf_getshdr(section, &header))
                        return false;
                if (header.sh_type == SHT_SYMTAB || (header.sh_type == SHT_DYNSYM && !found))
                        found = take_function(f, elf, section, &header, site) || found;
                if (header.sh_type != SHT_PROGBITS || !(header.sh_flags & SHF_EXECINSTR))
                        continue;
                data = elf_getdata(section, NULL);
                if (!data || !data->d_buf)
                        continue;
                if (!vec_reserve(&f->code, 1))
                        return false;
                *vec_push(&f->code) = (struct section){header.sh_addr, header.sh_addr + data->d_size, data->d_buf};
        }
        return found;
}

/* Does the mark of the instrumenter before the function say it (instrument/clone.h)? */
static bool is_told(const struct file *f)
{
        size_t left = 0;
        const uint8_t *mark = bytes_at(f, f->lo - START_FILES_MARK, &left);

        return mark && start_files_mark(mark, left) && mark[START_FILES_MARK - 1] == 1;
}

bool liveness_of_module(const char *path, uint64_t site, struct wire_loop *out)
{
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        struct file f = {0};
        struct liveness_object objects[MAX_OBJECTS];
        struct liveness_code code;
        Elf *elf = NULL;
        size_t left = 0;
        bool ok = false;

        if (fd < 0)
                return false;
        if (elf_version(EV_CURRENT) != EV_NONE && (elf = elf_begin(fd, ELF_C_READ_MMAP, NULL)) &&
            read_file(&f, elf, site)) {
                code = (struct liveness_code){
                        .lo = f.lo, .hi = f.hi, .bytes = bytes_at(&f, f.lo, &left), .call = call_of, .arg = &f};
                ok = code.bytes && left >= f.hi - f.lo;
                out->told = ok && is_told(&f);
                if (ok) {
                        code.objects = objects;
                        code.n_objects = liveness_objects(elf, &code, objects, MAX_OBJECTS);
                        ok = liveness_find(&code, site, out);
                }
        }
        vec_fini(&f.slots);
        vec_fini(&f.code);
        if (elf)
                elf_end(elf);
        close(fd);
        return ok;
}
