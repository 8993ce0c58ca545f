/*
 * Reads the dynamic symbols and the needed libraries of an ELF file, or the symbols of an object.  The file may be anything: libelf checks bounds.
 *
 * Only what a file imports or defines is checked, not its code: a module counts as instrumented as soon as one of its
 * sources was.
 */
#include "binary/instrumentation.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool begins(const char *s, const char *with)
{
        return strncmp(s, with, strlen(with)) == 0;
}

static void scan_symbols(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, struct watched_file *w)
{
        Elf_Data *data = elf_getdata(section, NULL);

        for (size_t i = 0; data && header->sh_entsize && i < header->sh_size / header->sh_entsize; i++) {
                GElf_Sym symbol;
                const char *name =
                        gelf_getsym(data, (int)i, &symbol) ? elf_strptr(elf, header->sh_link, symbol.st_name) : NULL;
                if (!name)
                        continue;
                bool here = symbol.st_shndx != SHN_UNDEF;
                if ((begins(name, "__tsan_") || begins(name, "__heddle_access")) && !here)
                        w->hooks = true;
                if (begins(name, "__heddle_branch") && !here)
                        w->paths = true;
                if (strcmp(name, "__tsan_func_entry") == 0 && here)
                        w->own_tsan = true;
                if (strcmp(name, "__asan_init") == 0)
                        w->asan = true;
        }
}

static void scan_needed(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, struct watched_file *w)
{
        Elf_Data *data = elf_getdata(section, NULL);

        for (size_t i = 0; data && header->sh_entsize && i < header->sh_size / header->sh_entsize; i++) {
                GElf_Dyn entry;
                if (!gelf_getdyn(data, (int)i, &entry) || entry.d_tag != DT_NEEDED)
                        continue;
                const char *name = elf_strptr(elf, header->sh_link, entry.d_un.d_val);
                if (name && (begins(name, "libtsan.so") || begins(name, "libclang_rt.tsan")))
                        snprintf(w->library, sizeof w->library, "%s", name);
                if (name && (begins(name, "libasan.so") || begins(name, "libclang_rt.asan")))
                        w->asan = true;
        }
}

static bool is_object(Elf *elf)
{
        GElf_Ehdr header;

        return gelf_getehdr(elf, &header) && header.e_type == ET_REL;
}

int watched_scan(const char *path, struct watched_file *w)
{
        int fd = open(path, O_RDONLY | O_CLOEXEC);

        memset(w, 0, sizeof *w);
        if (fd < 0 || elf_version(EV_CURRENT) == EV_NONE)
                return -1;
        Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
        size_t names = 0;
        bool named = elf && elf_getshdrstrndx(elf, &names) == 0;
        for (Elf_Scn *s = NULL; elf && (s = elf_nextscn(elf, s));) {
                GElf_Shdr header;
                if (!gelf_getshdr(s, &header))
                        continue;
                const char *name = named ? elf_strptr(elf, names, header.sh_name) : NULL;
                w->ir |= name && strcmp(name, ".debug_heddle_ir") == 0;
                if (header.sh_type == SHT_DYNSYM || (header.sh_type == SHT_SYMTAB && is_object(elf)))
                        scan_symbols(elf, s, &header, w);
                else if (header.sh_type == SHT_DYNAMIC)
                        scan_needed(elf, s, &header, w);
        }
        int status = elf && elf_kind(elf) == ELF_K_ELF ? 0 : -1;
        elf_end(elf);
        close(fd);
        return status;
}

enum watched watched_module(const char *path)
{
        static const char *const system[] = {"libc.so",      "ld-linux",      "libm.so",  "libgcc_s.so", "libstdc++.so",
                                             "libatomic.so", "libpthread.so", "libdl.so", "librt.so",    "libc++"};
        static const char *const own[] = {"libheddle-rt.so", "linux-vdso", "libtsan.so", "libclang_rt.tsan"};
        const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
        struct watched_file w;

        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
                if (!*name || begins(name, own[i]))
                        return WATCHED_OWN;
        for (size_t i = 0; i < sizeof system / sizeof *system; i++)
                if (begins(name, system[i]))
                        return WATCHED_SYSTEM;
        return watched_scan(path, &w) == 0 && w.hooks ? WATCHED_ACCESSES : WATCHED_CALLS;
}
