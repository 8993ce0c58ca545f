/*
 * Looks at a program before it is started: what cannot be checked is refused here, with its reason, and not by a
 * failure of the loader later.  The file may be anything; only the fixed header and the program headers are read.
 */
#include "cli/binary.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *check_file(const char *path)
{
        struct stat st;

        if (stat(path, &st) < 0)
                return errno == ENOENT ? "there is no such file; check its name" : strerror(errno);
        if (S_ISDIR(st.st_mode))
                return "is a directory; name the program in it";
        if (!S_ISREG(st.st_mode))
                return "is no regular file; name a program";
        if (st.st_mode & (S_ISUID | S_ISGID))
                return "is setuid or setgid, so no runtime can be loaded into it; check a plain copy of it";
        if (access(path, X_OK) < 0)
                return access(path, R_OK) < 0 ? strerror(errno)
                                              : "is not executable; make it so (chmod +x), or name a source such as "
                                                "prog.c";
        return NULL;
}

static bool has_interpreter(int fd, const Elf64_Ehdr *header)
{
        for (unsigned i = 0; i < header->e_phnum; i++) {
                Elf64_Phdr segment;
                off_t at = (off_t)(header->e_phoff + i * sizeof segment);
                if (pread(fd, &segment, sizeof segment, at) != sizeof segment)
                        return false;
                if (segment.p_type == PT_INTERP)
                        return true;
        }
        return false;
}

static const char *check_header(int fd)
{
        Elf64_Ehdr header;
        ssize_t n = pread(fd, &header, sizeof header, 0);

        if (n >= 2 && memcmp(&header, "#!", 2) == 0)
                return "is a script; name the program that it starts";
        if (n < EI_NIDENT || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
                return "is no ELF program; build it with 'heddle cc', or name a source such as prog.c";
        if (header.e_ident[EI_CLASS] == ELFCLASS32)
                return "is a 32-bit program; build it for x86-64 (without -m32)";
        if (n < (ssize_t)sizeof header || header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_machine != EM_X86_64)
                return "is not built for x86-64; build it for this machine";
        if (header.e_type == ET_REL)
                return "is an object file; link it to a program with 'heddle cc'";
        if ((header.e_type != ET_EXEC && header.e_type != ET_DYN) || header.e_phentsize != sizeof(Elf64_Phdr))
                return "is no program; build it with 'heddle cc'";
        if (!has_interpreter(fd, &header))
                return header.e_type == ET_DYN ? "is a shared library or linked statically; link a program dynamically "
                                                 "(without -static)"
                                               : "is linked statically; link it dynamically (without -static)";
        return NULL;
}

int binary_check(const char *path, char why[512])
{
        const char *reason = check_file(path);

        if (!reason) {
                int fd = open(path, O_RDONLY | O_CLOEXEC);
                reason = fd < 0 ? strerror(errno) : check_header(fd);
                if (fd >= 0)
                        close(fd);
        }
        if (!reason)
                return 0;
        snprintf(why, 512, "%.200s: %s", path, reason);
        return -1;
}

static bool has_hook(Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
        Elf_Data *data = elf_getdata(section, NULL);

        for (size_t i = 0; data && header->sh_entsize && i < header->sh_size / header->sh_entsize; i++) {
                GElf_Sym symbol;
                if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx != SHN_UNDEF)
                        continue;
                const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
                if (name && strncmp(name, "__tsan_", 7) == 0)
                        return true;
        }
        return false;
}

bool binary_instrumented(const char *path)
{
        bool found = false;
        int fd = open(path, O_RDONLY | O_CLOEXEC);

        if (fd < 0 || elf_version(EV_CURRENT) == EV_NONE)
                return false;
        Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
        for (Elf_Scn *s = NULL; elf && !found && (s = elf_nextscn(elf, s));) {
                GElf_Shdr header;
                if (gelf_getshdr(s, &header) && header.sh_type == SHT_DYNSYM)
                        found = has_hook(elf, s, &header);
        }
        elf_end(elf);
        close(fd);
        return found;
}
