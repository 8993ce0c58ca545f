/* See ir.h. */
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

#define SECTION ".debug_heddle_ir"

struct record {
        char magic[8];
        uint32_t format, major;
        uint64_t length, sum;
};

/* A body that is only a hint for the optimiser is not a definition. */
static void note_function(struct ir *r, LLVMValueRef f)
{
        LLVMLinkage l = LLVMGetLinkage(f);
        size_t n;
        const char *name = LLVMGetValueName2(f, &n);

        if (LLVMIsDeclaration(f) || l == LLVMAvailableExternallyLinkage)
                return;
        name_set_add(&r->whole.functions, name);
        if (l == LLVMExternalLinkage)
                name_set_add(&r->whole.strong, name);
}

static void note_names(struct ir *r, LLVMModuleRef m)
{
        size_t n;

        for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
                note_function(r, f);
        for (LLVMValueRef a = LLVMGetFirstGlobalAlias(m); a; a = LLVMGetNextGlobalAlias(a))
                note_function(r, a);
        for (LLVMValueRef v = LLVMGetFirstGlobal(m); v; v = LLVMGetNextGlobal(v))
                if (!LLVMIsDeclaration(v))
                        name_set_add(&r->variables, LLVMGetValueName2(v, &n));
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
        name_set_sort(&r->whole.functions);
        name_set_sort(&r->whole.strong);
        r->program = true;
        whole_find(&r->whole, r->module, elf);
        return 0;
}

static int add_file(struct ir *r, const char *file, struct error *why)
{
        int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK), err; /* a pipe is not waited for */
        Elf *elf;

        if (fd < 0)
                return error_set(why, ERROR_USAGE, "cannot read %.200s: %m", file);
        elf = elf_begin(fd, ELF_C_READ, NULL);
        Elf_Kind kind = elf ? elf_kind(elf) : ELF_K_NONE;
        if (kind == ELF_K_ELF && elf_nextscn(elf, NULL))
                err = add_elf(r, file, elf, why);
        else
                err = error_set(why, ERROR_USAGE, "%.200s %s", file,
                                kind == ELF_K_ELF ? "is damaged or cut off: it has no sections"
                                : kind == ELF_K_AR
                                        ? "is an archive; give its objects, or a program"
                                        : "is neither an object file nor a program; compile it with heddle cc "
                                          "--keep-ir");
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
        name_set_sort(&r->variables);
        promote(r->module);
        r->layout = LLVMGetModuleDataLayout(r->module);
        return 0;
}

void ir_fini(struct ir *r)
{
        whole_fini(&r->whole);
        name_set_fini(&r->variables);
        if (r->module)
                LLVMDisposeModule(r->module);
        LLVMContextDispose(r->context);
}
