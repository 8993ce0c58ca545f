/*
 * See ir.h.  Invariant: a program counts as whole (`foreign` is false) only if each function of its symbol table is one of the
 * modules, a plain body of one (instrument/clone.h), or of the start files.
 */
#include "static/ir.h"

#include <fcntl.h>
#include <gelf.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <llvm/Config/llvm-config.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/start_functions.h"

#define SECTION ".debug_heddle_ir"
#define PLAIN   ".plain"

struct record {
        char magic[8];
        uint32_t format, major;
        uint64_t length, sum;
};

static char *copy_name(const char *name)
{
        char *copy = strdup(name);

        if (!copy)
                memory_out();
        return copy;
}

#define ADD_NAME(list, name)                       \
        do {                                       \
                vec_need(list, 1);                 \
                *vec_push(list) = copy_name(name); \
        } while (0)

static void note_names(struct ir *r, LLVMModuleRef m)
{
        size_t n;

        for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
                if (!LLVMIsDeclaration(f))
                        ADD_NAME(&r->functions, LLVMGetValueName2(f, &n));
        for (LLVMValueRef v = LLVMGetFirstGlobal(m); v; v = LLVMGetNextGlobal(v))
                if (!LLVMIsDeclaration(v))
                        ADD_NAME(&r->variables, LLVMGetValueName2(v, &n));
}

/* The messages of LLVM are for its developers: ours say what to do. */
static void keep_silent(LLVMDiagnosticInfoRef info, void *unused)
{
        (void)info;
        (void)unused;
}

static int add_module(struct ir *r, const char *file, const char *bytes, size_t n, struct error *why)
{
        LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes, n, file);
        LLVMModuleRef m = NULL;
        int bad = LLVMParseBitcodeInContext2(r->context, buffer, &m);

        LLVMDisposeMemoryBuffer(buffer);
        if (bad)
                return error_set(why, ERROR_USAGE, "%.200s: its IR is damaged", file);
        note_names(r, m);
        if (!r->module) {
                r->module = m;
                return 0;
        }
        if (LLVMLinkModules2(r->module, m))
                return error_set(why, ERROR_USAGE,
                                 "%.200s: its IR does not fit that of the files before it (two definitions of one "
                                 "symbol?)",
                                 file);
        return 0;
}

/* The records of a section, one after the other, each at a multiple of 16 bytes. */
static int add_records(struct ir *r, const char *file, const char *bytes, size_t n, struct error *why)
{
        static const char zeros[16];
        struct record head;

        for (size_t at = 0; at + sizeof zeros <= n;) {
                if (memcmp(bytes + at, zeros, sizeof zeros) == 0) {
                        at += sizeof zeros;
                        continue;
                }
                if (n - at < sizeof head)
                        return error_set(why, ERROR_USAGE, "%.200s: its IR is damaged", file);
                memcpy(&head, bytes + at, sizeof head);
                at += sizeof head;
                if (memcmp(head.magic, "heddleIR", 8) != 0 || head.format != 1 || head.length > n - at ||
                    hash_bytes(HASH_FNV_START, bytes + at, head.length) != head.sum)
                        return error_set(why, ERROR_USAGE, "%.200s: its IR is damaged", file);
                if (head.major > LLVM_VERSION_MAJOR)
                        return error_set(why, ERROR_USAGE,
                                         "%.200s: its IR is of LLVM %u, and this heddle reads LLVM %u at most; build "
                                         "heddle where llvm-%u-dev is installed",
                                         file, head.major, (unsigned)LLVM_VERSION_MAJOR, head.major);
                int err = add_module(r, file, bytes + at, head.length, why);
                if (err)
                        return err;
                at += (head.length + 15) / 16 * 16;
        }
        return 0;
}

static int by_name(const void *a, const void *b)
{
        return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The length of a function's name without the end that its plain body has (instrument/clone.h). */
static size_t plain_of(const char *name)
{
        size_t n = strlen(name), end = strlen(PLAIN);

        return n > end && strcmp(name + n - end, PLAIN) == 0 ? n - end : n;
}

/* Is it a function of the modules, or one that every program has? */
static bool known_function(const struct ir *r, const char *name)
{
        char *key = strndup(name, plain_of(name));
        bool known = key && r->functions.n &&
                     bsearch(&key, r->functions.at, r->functions.n, sizeof *r->functions.at, by_name);

        free(key);
        known |= strncmp(name, "tsan.", 5) == 0;     /* a constructor that clang makes of -fsanitize=thread */
        known |= strncmp(name, "__heddle_", 9) == 0; /* what the instrumenter adds */
        return known || start_function(name);
}

static void symbol(struct ir *r, bool dynamic, const GElf_Sym *s, const char *name)
{
        int type = GELF_ST_TYPE(s->st_info);

        if (!name || !name[0] || s->st_shndx == SHN_UNDEF)
                return;
        if (dynamic)
                ADD_NAME(&r->exported, name);
        else if ((type == STT_FUNC || type == STT_GNU_IFUNC) && !r->foreign && !known_function(r, name)) {
                r->foreign = true;
                snprintf(r->foreign_name, sizeof r->foreign_name, "%.*s", (int)plain_of(name), name);
        }
}

static void symbols(struct ir *r, Elf *elf)
{
        bool any = false;

        for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
                GElf_Shdr header;
                Elf_Data *data = elf_getdata(section, NULL);
                GElf_Sym s;

                if (!gelf_getshdr(section, &header) || !data ||
                    (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
                        continue;
                any |= header.sh_type == SHT_SYMTAB;
                for (int i = 0; gelf_getsym(data, i, &s); i++)
                        symbol(r, header.sh_type == SHT_DYNSYM, &s, elf_strptr(elf, header.sh_link, s.st_name));
        }
        if (!any) {
                r->foreign = true;
                snprintf(r->foreign_name, sizeof r->foreign_name, "(a program without symbols)");
        }
}

static Elf_Scn *find_section(Elf *elf)
{
        size_t names;

        for (Elf_Scn *section = elf_getshdrstrndx(elf, &names) ? NULL : elf_nextscn(elf, NULL); section;
             section = elf_nextscn(elf, section)) {
                GElf_Shdr header;
                const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;

                if (name && strcmp(name, SECTION) == 0) {
                        if (header.sh_flags & SHF_COMPRESSED)
                                (void)elf_compress(section, 0, 0);
                        return section;
                }
        }
        return NULL;
}

static int add_elf(struct ir *r, const char *file, Elf *elf, struct error *why)
{
        GElf_Ehdr header;
        Elf_Scn *section = gelf_getehdr(elf, &header) ? find_section(elf) : NULL;
        Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;

        if (!data || !data->d_buf)
                return error_set(why, ERROR_USAGE, "%.200s has no IR; compile it with heddle cc --keep-ir", file);
        int err = add_records(r, file, data->d_buf, data->d_size, why);
        if (err || header.e_type == ET_REL)
                return err;
        if (r->functions.n)
                qsort(r->functions.at, r->functions.n, sizeof *r->functions.at, by_name);
        r->program = true;
        symbols(r, elf);
        return 0;
}

static int add_file(struct ir *r, const char *file, struct error *why)
{
        int fd = open(file, O_RDONLY | O_CLOEXEC), err;
        Elf *elf;

        if (fd < 0)
                return error_set(why, ERROR_USAGE, "cannot read %.200s: %m", file);
        elf = elf_begin(fd, ELF_C_READ, NULL);
        if (elf && elf_kind(elf) == ELF_K_ELF)
                err = add_elf(r, file, elf, why);
        else
                err = error_set(why, ERROR_USAGE,
                                "%.200s is neither an object file nor a program; compile it with heddle cc --keep-ir",
                                file);
        elf_end(elf);
        close(fd);
        return err;
}

/* Variables that have no address are values: they are followed from each write to its reads. */
static void promote(LLVMModuleRef module)
{
        static const char not_optimised[] = "optnone";
        unsigned kind = LLVMGetEnumAttributeKindForName(not_optimised, strlen(not_optimised));
        LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();

        for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
                LLVMRemoveEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
        LLVMErrorRef failed = LLVMRunPasses(module, "function(mem2reg)", NULL, options);
        if (failed)
                LLVMConsumeError(failed);
        LLVMDisposePassBuilderOptions(options);
}

int ir_read(struct ir *r, char **files, struct error *why)
{
        memset(r, 0, sizeof *r);
        elf_version(EV_CURRENT);
        r->context = LLVMContextCreate();
        LLVMContextSetDiagnosticHandler(r->context, keep_silent, NULL);
        for (; *files; files++) {
                int err = add_file(r, *files, why);
                if (err)
                        return err;
        }
        if (!r->module)
                return error_set(why, ERROR_USAGE, "there is no IR in these files");
        if (r->variables.n)
                qsort(r->variables.at, r->variables.n, sizeof *r->variables.at, by_name);
        promote(r->module);
        r->layout = LLVMGetModuleDataLayout(r->module);
        return 0;
}

void ir_fini(struct ir *r)
{
        for (uint32_t i = 0; i < r->exported.n; i++)
                free(r->exported.at[i]);
        for (uint32_t i = 0; i < r->functions.n; i++)
                free(r->functions.at[i]);
        for (uint32_t i = 0; i < r->variables.n; i++)
                free(r->variables.at[i]);
        vec_fini(&r->exported);
        vec_fini(&r->functions);
        vec_fini(&r->variables);
        if (r->module)
                LLVMDisposeModule(r->module);
        LLVMContextDispose(r->context);
}
