/* The code of the executable: of calls through pointers, paths have those into it. */
#ifndef HEDDLE_RT_PROGRAM_CODE_H
#define HEDDLE_RT_PROGRAM_CODE_H

#include <link.h>
#include <stdint.h>

#define CALL_BITS 12u /* of an address: the loader moves by pages */

struct program_code {
        uintptr_t lo, hi; /* hi 0: not looked for yet */
};

/* For dl_iterate_phdr(); arg: a struct program_code. */
static inline int program_code_find(struct dl_phdr_info *info, size_t size, void *arg)
{
        struct program_code *code = arg;

        (void)size;
        for (int i = 0; i < info->dlpi_phnum; i++) {
                const ElfW(Phdr) *p = &info->dlpi_phdr[i];
                if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
                        continue;
                code->lo = info->dlpi_addr + p->p_vaddr;
                code->hi = code->lo + p->p_memsz;
        }
        return 1; /* the first one is the program */
}

#endif
