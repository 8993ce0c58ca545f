/* The C side of fibers on x86-64: a first stack frame, and whether the thread pointer can be set without the kernel. */
#include "rt/arch/x86_64/fiber.h"

#include <sys/auxv.h>

#include "rt/util.h"

extern char fiber_bottom[];

/* How a switch sets the thread pointer; switch.S knows the numbers. */
enum { FIBER_SYSCALL, FIBER_FSGSBASE, FIBER_KERNEL };
unsigned char fiber_mode __attribute__((visibility("hidden")));

struct first_frame { /* what fiber_switch() pops */
        uint32_t mxcsr;
        uint16_t fpucw, pad;
        uint64_t r15, r14, r13, r12, rbx, rbp;
        void *rip;
};

void fiber_init(void)
{
        fiber_mode = getauxval(AT_HWCAP2) & 2 ? FIBER_FSGSBASE : FIBER_SYSCALL;
}

void fiber_use_kernel_threads(void)
{
        fiber_mode = FIBER_KERNEL;
}

void *fiber_thread_pointer(void)
{
        void *fs;
        __asm__("movq %%fs:0, %0" : "=r"(fs));
        return fs;
}

void *fiber_prepare(void *stack_top, void (*entry)(void))
{
        uintptr_t top = (uintptr_t)stack_top & ~(uintptr_t)15;
        struct first_frame *f = (struct first_frame *)(top - 16 - sizeof *f);

        *(uint64_t *)(top - 8) = 0;
        *(uint64_t *)(top - 16) = 0;
        rt_zero(f, sizeof *f);
        f->mxcsr = 0x1f80;
        f->fpucw = 0x037f;
        f->rbx = (uint64_t)(uintptr_t)entry;
        f->rip = fiber_bottom;
        return f;
}
