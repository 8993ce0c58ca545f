/*
 * Branches of programs built by `heddle cc --record` (instrument/path.h): under `heddle reproduce` each must go the recorded way,
 * otherwise they are ignored.
 */
#include "rt/program_code.h"
#include "rt/sched/failure.h"
#include "rt/sched/path.h"
#include "rt/user/path_keep.h"
#include "rt/threads.h"
#include "rt/user/invariants.h"

static struct program_code code;

RT_EXPORT extern __thread uint64_t __heddle_path __attribute__((tls_model("initial-exec")));
__thread uint64_t __heddle_path = 1; /* of bodies that do not run here */
RT_EXPORT extern uint64_t __heddle_code[2];
uint64_t __heddle_code[2];

/* Only those bodies call them. */
RT_EXPORT void __heddle_path_full(void), __heddle_path_bits(void);
void __heddle_path_full(void)
{
}

void __heddle_path_bits(void)
{
}

static void follow(struct thread *t, uint64_t value, uint32_t bits, uintptr_t site)
{
        uint64_t before = t->path.at;

        if (path_follow(t, value, bits)) {
                while (RT_UNLIKELY(path_kept) && before < t->path.at)
                        path_keep_position(t, ++before);
                return;
        }
        if (path_reached())
                rt_fail(WIRE_FAIL_ABORT, site, "all threads are where a signal asked for the recording");
        path_left(t, before);
        rt_assume_fail(site);
}

static bool followed(void)
{
        return RT_UNLIKELY(path_on) && rt_cur && !watch_is(rt_cur) && !rt_cur->path.handlers;
}

static bool kept(void)
{
        return RT_UNLIKELY(path_kept) && rt_on() && !watch_is(rt_cur) && !rt_cur->path.handlers;
}

RT_EXPORT void __heddle_branch(uint64_t value, uint32_t bits);
void __heddle_branch(uint64_t value, uint32_t bits)
{
        if (followed())
                follow(rt_cur, value, bits, RT_SITE());
        else if (kept())
                path_keep(rt_cur, value, bits);
}

RT_EXPORT void __heddle_branch_call(uint64_t function);
void __heddle_branch_call(uint64_t function)
{
        if (!followed() && !kept())
                return;
        if (!code.hi)
                dl_iterate_phdr(program_code_find, &code);
        uint64_t bits = program_code_bits(function, code.lo, code.hi - code.lo);
        if (followed())
                follow(rt_cur, bits, CALL_BITS, RT_SITE());
        else
                path_keep(rt_cur, bits, CALL_BITS);
}

/* The recording was written here: in the execution that follows it, that is the failure. */
RT_EXPORT void heddle_rt_record_dump(void);
void heddle_rt_record_dump(void)
{
        if (followed() && rt.down->paths.failure == REC_DUMP && path_at_end(rt_cur))
                rt_fail(WIRE_FAIL_ABORT, RT_SITE(), "heddle_record_dump() as it was recorded");
}
