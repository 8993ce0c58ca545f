/* The code of the executable: of calls through pointers, paths have those into it. */
#ifndef HEDDLE_RT_PROGRAM_CODE_H
#define HEDDLE_RT_PROGRAM_CODE_H

#include <link.h>
#include <stdint.h>

#define CALL_SHIFT 4u /* functions begin at multiples of 16 */
#define CALL_BITS  8u /* of the address of a function: all below 12, since the loader moves by pages */

struct program_code {
        uintptr_t lo, hi; /* hi 0: not looked for yet */
};

/* What the path has of a call through a pointer.  A function of another module may be at another place under heddle: 0. */
static inline uint64_t program_code_bits(uint64_t function, uint64_t lo, uint64_t size)
{
        return function - lo < size ? function >> CALL_SHIFT & ((1u << CALL_BITS) - 1) : 0;
}

/* For dl_iterate_phdr(); arg: a struct program_code. */
static inline int program_code_find(struct dl_phdr_info *info, size_t size, void *arg)
{
        struct program_code *code = (struct program_code *)arg; /* C++ reads this too */

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
