/*
 * Branches of programs built by `heddle cc --record` (instrument/path.h): under `heddle reproduce` each must go the recorded way,
 * otherwise they are ignored.
 */
#include <link.h>

#include "rt/sched/failure.h"
#include "rt/sched/path.h"
#include "rt/threads.h"
#include "rt/user/invariants.h"

#define CALL_BITS 12u /* as in rt/record/recorder.c */

static uintptr_t program_lo, program_hi; /* the executable's code; 0: not looked for yet */

RT_EXPORT extern __thread uint64_t __heddle_path __attribute__((tls_model("initial-exec")));
__thread uint64_t __heddle_path = 1; /* of bodies that do not run here */

RT_EXPORT void __heddle_path_full(void);
void __heddle_path_full(void)
{
}

static int find_program(struct dl_phdr_info *info, size_t size, void *arg)
{
        (void)size;
        (void)arg;
        for (int i = 0; i < info->dlpi_phnum; i++) {
                const ElfW(Phdr) *p = &info->dlpi_phdr[i];
                if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
                        continue;
                program_lo = info->dlpi_addr + p->p_vaddr;
                program_hi = program_lo + p->p_memsz;
        }
        return 1; /* the first one is the program */
}

static void follow(struct thread *t, uint64_t value, uint32_t bits, uintptr_t site)
{
        if (!path_follow(t, value, bits))
                rt_assume_fail(site);
}

static bool followed(void)
{
        return RT_UNLIKELY(path_on) && rt_cur && !watch_is(rt_cur);
}

RT_EXPORT void __heddle_branch(uint64_t value, uint32_t bits);
void __heddle_branch(uint64_t value, uint32_t bits)
{
        if (followed())
                follow(rt_cur, value, bits, RT_SITE());
}

RT_EXPORT void __heddle_branch_call(uint64_t function);
void __heddle_branch_call(uint64_t function)
{
        if (!followed())
                return;
        if (!program_hi)
                dl_iterate_phdr(find_program, NULL);
        if (function >= program_lo && function < program_hi)
                follow(rt_cur, function & ((1u << CALL_BITS) - 1), CALL_BITS, RT_SITE());
}

/* The recording was written here: in the execution that follows it, that is the failure. */
RT_EXPORT void heddle_rt_record_dump(void);
void heddle_rt_record_dump(void)
{
        if (followed() && rt.down->paths.failure == REC_DUMP && path_at_end(rt_cur))
                rt_fail(WIRE_FAIL_ABORT, RT_SITE(), "heddle_record_dump() as it was recorded");
}
