/*
 * The fingerprint of a build.  It covers what decides how the program runs -- the sections with its code and its data --
 * and leaves out what only says where it was made: debug information, build id, run path.  So the same sources, compiled
 * in the same way from another folder, are the same program.  A file that is not an ELF file counts as a whole.
 */
#include "target/build_fingerprint.h"

#include "base/hash.h"
#include "base/stream.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static bool counts(const char *name)
{
        static const char *const names[] = {".text", ".rodata", ".data", ".tdata", ".bss", ".tbss"};

        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
                if (strcmp(name, names[i]) == 0)
                        return true;
        return false;
}

/* Hashes the sections that count; false: there are none. */
static bool hash_sections(Elf *elf, uint64_t *h)
{
        size_t names;
        bool any = false;

        if (elf_getshdrstrndx(elf, &names) != 0)
                return false;
        for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s));) {
                GElf_Shdr header;
                if (!gelf_getshdr(s, &header))
                        continue;
                const char *name = elf_strptr(elf, names, header.sh_name);
                if (!name || !counts(name))
                        continue;
                uint64_t size = header.sh_size;
                *h = hash_bytes(hash_bytes(*h, name, strlen(name)), &size, sizeof size);
                Elf_Data *data = header.sh_type == SHT_NOBITS ? NULL : elf_rawdata(s, NULL);
                if (data && data->d_buf)
                        *h = stream_hash(*h, data->d_buf, data->d_size); /* it may be long: by words */
                any = true;
        }
        return any;
}

static void hash_file(int fd, uint64_t *h)
{
        unsigned char buf[65536];
        ssize_t n;

        lseek(fd, 0, SEEK_SET);
        while ((n = read(fd, buf, sizeof buf)) > 0)
                *h = hash_bytes(*h, buf, (size_t)n);
}

uint32_t identity_of(const char *path)
{
        uint64_t h = HASH_FNV_START;
        int fd = open(path, O_RDONLY | O_CLOEXEC);

        if (fd < 0)
                return 0;
        Elf *elf = elf_version(EV_CURRENT) != EV_NONE ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
        if (!elf || !hash_sections(elf, &h)) {
                h = HASH_FNV_START;
                hash_file(fd, &h);
        }
        elf_end(elf);
        close(fd);
        return (uint32_t)(h ^ h >> 24 ^ h >> 48) & 0xffffff;
}
