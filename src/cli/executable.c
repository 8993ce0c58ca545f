/*
 * Looks at a program before it is started: what cannot be checked is refused here, with its reason, and not by a
 * failure of the loader later.  The file may be anything; only the fixed header and the program headers are read.
 */
#include "cli/executable.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/list.h"
#include "binary/instrumentation.h"

static const char *check_file(const char *path)
{
        struct stat st;

        if (stat(path, &st) < 0)
                return errno == ENOENT ? "no such file; check its name" : strerror(errno);
        if (S_ISDIR(st.st_mode))
                return "is a directory; name the program in it";
        if (!S_ISREG(st.st_mode))
                return "is not a regular file; name a program";
        if (st.st_mode & (S_ISUID | S_ISGID))
                return "is setuid or setgid, so the runtime cannot be loaded into it; check a plain copy of it";
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
                return "is not an ELF program; build it with 'heddle cc', or name a source such as prog.c";
        if (header.e_ident[EI_CLASS] == ELFCLASS32)
                return "is a 32-bit program; build it for x86-64 (without -m32)";
        if (n < (ssize_t)sizeof header || header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_machine != EM_X86_64)
                return "is not built for x86-64; build it for this machine";
        if (header.e_type == ET_REL)
                return "is an object file; link it to a program with 'heddle cc'";
        if ((header.e_type != ET_EXEC && header.e_type != ET_DYN) || header.e_phentsize != sizeof(Elf64_Phdr))
                return "is not a program; build it with 'heddle cc'";
        if (!has_interpreter(fd, &header))
                return header.e_type == ET_DYN ? "is a shared library or linked statically; link a program dynamically "
                                                 "(without -static)"
                                               : "is linked statically; link it dynamically (without -static)";
        return NULL;
}

int binary_check(const char *path, struct error *why)
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
        return error_set(why, -1, "%.200s: %s", path, reason);
}

/* Every library that the loader would load, as the loader itself tells when asked this way; it starts nothing. */
static FILE *list_libraries(const char *path, pid_t *pid)
{
        int fds[2];

        if (pipe2(fds, O_CLOEXEC) < 0)
                return NULL;
        *pid = fork();
        if (*pid == 0) {
                dup2(fds[1], STDOUT_FILENO);
                setenv("LD_TRACE_LOADED_OBJECTS", "1", 1);
                unsetenv("LD_PRELOAD");
                execl(path, path, (char *)NULL);
                _exit(127);
        }
        close(fds[1]);
        if (*pid < 0) {
                close(fds[0]);
                return NULL;
        }
        return fdopen(fds[0], "r");
}

static bool library_instrumented(const char *path)
{
        pid_t pid;
        FILE *f = list_libraries(path, &pid);
        char *line = NULL;
        size_t room = 0;
        bool found = false;

        while (f && getline(&line, &room, f) >= 0) {
                char *file = strstr(line, "=> "), *end = file ? strstr(file, " (0x") : NULL;
                if (!end)
                        continue;
                *end = '\0';
                found = found || watched_module(file + 3) == WATCHED_ACCESSES;
        }
        free(line);
        if (!f)
                return false;
        fclose(f);
        waitpid(pid, NULL, 0);
        return found;
}

bool binary_instrumented(const char *path)
{
        struct watched_file w;

        return (watched_scan(path, &w) == 0 && w.hooks) || library_instrumented(path);
}

bool binary_by_gcc(const char *path)
{
        FILE *f = fopen(path, "re");
        char *bytes = NULL;
        bool gcc = false;
        long n;

        if (f && fseek(f, 0, SEEK_END) == 0 && (n = ftell(f)) > 0 && (bytes = malloc((size_t)n)) != NULL) {
                rewind(f);
                n = (long)fread(bytes, 1, (size_t)n, f);
                gcc = memmem(bytes, (size_t)n, "GCC: (", 6) && !memmem(bytes, (size_t)n, "clang version ", 14);
        }
        free(bytes);
        if (f)
                fclose(f);
        return gcc;
}

const char *binary_sanitizer(const char *path, struct error *why)
{
        struct watched_file w;

        why->text[0] = '\0';
        if (watched_scan(path, &w) < 0)
                return NULL;
        if (w.asan)
                error_set(why, -1,
                          "%.200s: was built with AddressSanitizer, which cannot share a program with heddle; "
                          "build it without",
                          path);
        else if (w.own_tsan)
                error_set(why, -1,
                          "%.200s: has the runtime of ThreadSanitizer linked into it (clang does that); link it "
                          "with 'heddle cc', or with clang -shared-libsan",
                          path);
        return w.library[0] ? list_format("%s", w.library) : NULL;
}
