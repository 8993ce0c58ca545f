/*
 * RT_STUB(name, impl, visibility): a symbol `name` that notes the caller's callee-saved registers, stack pointer and
 * return address in spin_regs, and calls the C function `impl`, RT_GAP bytes below (gap.h).  Spin detection compares them;
 * they must be read before the fiber switches.  RT_STUB_VOID: the same where `impl` returns nothing.
 *
 * The runtime leaves nothing of its own in registers that a compiler may store without giving them a value (clang aligns the
 * stack by a push of rax).
 *
 * A stub hands on one argument that is not in a register.
 *
 * RT_NOTED(name, n): `name`, a function of n arguments that is defined below, notes the same, and these arguments in spin_args, and
 * runs on the caller's stack.
 */
#ifndef HEDDLE_RT_ARCH_X86_64_STUB_H
#define HEDDLE_RT_ARCH_X86_64_STUB_H

#include "rt/arch/x86_64/gap.h"

/* visibility is "default" or "hidden".  Where nothing is ever watched (plain/plain.c), it is just another name. */
#ifdef HEDDLE_PLAIN
#define RT_STUB(name, impl, visibility) __asm__(".globl " #name "\n.type " #name ", @function\n.set " #name ", " #impl);
#define RT_STUB_VOID                    RT_STUB
#define RT_STUB_SITE()                  RT_SITE()
#define RT_NOTED(name, n)               __typeof__(name) name __attribute__((visibility("default")));
#else
#include "rt/loops/registers.h"

#define RT_STUB_TEXT_(x) #x
#define RT_STUB_TEXT(x)  RT_STUB_TEXT_(x)
#define RT_STUB_GAP      RT_STUB_TEXT(RT_GAP)

#define RT_STUB_NOTES                     \
        "movq %rbx, spin_regs(%rip)\n"    \
        "movq %rbp, spin_regs+8(%rip)\n"  \
        "movq %r12, spin_regs+16(%rip)\n" \
        "movq %r13, spin_regs+24(%rip)\n" \
        "movq %r14, spin_regs+32(%rip)\n" \
        "movq %r15, spin_regs+40(%rip)\n" \
        "movq %rsp, spin_regs+48(%rip)\n" \
        "movq (%rsp), %rax\n"             \
        "movq %rax, spin_regs+56(%rip)\n"

#define RT_STUB_LEAVES        \
        "xorl %ecx, %ecx\n"   \
        "xorl %esi, %esi\n"   \
        "xorl %edi, %edi\n"   \
        "xorl %r8d, %r8d\n"   \
        "xorl %r9d, %r9d\n"   \
        "xorl %r10d, %r10d\n" \
        "xorl %r11d, %r11d\n"

#define RT_STUB_THEN(name, impl, visibility, then)                               \
        __asm__(".pushsection .text\n"                                           \
                ".globl " #name "\n"                                             \
                ".ifc " visibility ",hidden\n"                                   \
                ".hidden " #name "\n"                                            \
                ".endif\n"                                                       \
                ".type " #name ", @function\n" #name ":\n"                       \
                ".cfi_startproc\n" RT_STUB_NOTES "subq $" RT_STUB_GAP ", %rsp\n" \
                ".cfi_adjust_cfa_offset " RT_STUB_GAP "\n"                       \
                "pushq " RT_STUB_GAP "+8(%rsp)\n"                                \
                ".cfi_adjust_cfa_offset 8\n"                                     \
                "call " #impl "\n"                                               \
                "addq $" RT_STUB_GAP "+8, %rsp\n"                                \
                ".cfi_def_cfa_offset 8\n" RT_STUB_LEAVES then "ret\n"            \
                ".cfi_endproc\n"                                                 \
                ".size " #name ", .-" #name "\n"                                 \
                ".popsection\n");
#define RT_STUB(name, impl, visibility)      RT_STUB_THEN(name, impl, visibility, "")
#define RT_STUB_VOID(name, impl, visibility) RT_STUB_THEN(name, impl, visibility, "xorl %eax, %eax\nxorl %edx, %edx\n")

/* clang-format off */
__asm__(".macro rt_noted name n\n"
        ".pushsection .text\n"
        ".globl \\name\n"
        ".type \\name, @function\n"
        "\\name:\n"
        ".cfi_startproc\n"
        RT_STUB_NOTES
        "movq %rax, spin_args(%rip)\n"
        "leaq noted_\\name(%rip), %rax\n"
        "movq %rax, spin_args+8(%rip)\n"
        "movq %rdi, spin_args+16(%rip)\n"
        ".if \\n > 1\nmovq %rsi, spin_args+24(%rip)\n.else\nmovq $0, spin_args+24(%rip)\n.endif\n"
        ".if \\n > 2\nmovq %rdx, spin_args+32(%rip)\n.else\nmovq $0, spin_args+32(%rip)\n.endif\n"
        ".if \\n > 3\nmovq %rcx, spin_args+40(%rip)\n.else\nmovq $0, spin_args+40(%rip)\n.endif\n"
        "jmp noted_\\name\n"
        ".cfi_endproc\n"
        ".size \\name, .-\\name\n"
        ".popsection\n"
        ".endm\n");
/* clang-format on */
#define RT_NOTED(name, n)                                           \
        __typeof__(name) name __asm__("noted_" RT_STUB_TEXT(name)); \
        __asm__("rt_noted " RT_STUB_TEXT(name) ", " #n);

/* In `impl`, before it calls anything: where the stub was called. */
#define RT_STUB_SITE() ((uintptr_t)spin_regs[7])
#endif

/* What a hook that does not go through a stub ends with. */
#define RT_LEAVE_NOTHING() __asm__ volatile("xorl %%eax, %%eax" ::: "rax")

#endif
