/*
 * RT_STUB(name, impl, visibility): a symbol `name` that notes the caller's callee-saved registers, stack pointer and
 * return address in spin_regs, and jumps to the C function `impl`.  Spin detection compares them; they must be read
 * before the fiber switches.
 */
#ifndef HEDDLE_RT_X86_64_STUB_H
#define HEDDLE_RT_X86_64_STUB_H

/* visibility is "default" or "hidden".  Where nothing is ever watched (plain/plain.c), it is just another name. */
#ifdef HEDDLE_PLAIN
#define RT_STUB(name, impl, visibility) __asm__(".globl " #name "\n.type " #name ", @function\n.set " #name ", " #impl);
#else
#define RT_STUB(name, impl, visibility)                    \
        __asm__(".pushsection .text\n"                     \
                ".globl " #name "\n"                       \
                ".ifc " visibility ",hidden\n"             \
                ".hidden " #name "\n"                      \
                ".endif\n"                                 \
                ".type " #name ", @function\n" #name ":\n" \
                "movq %rbx, spin_regs(%rip)\n"             \
                "movq %rbp, spin_regs+8(%rip)\n"           \
                "movq %r12, spin_regs+16(%rip)\n"          \
                "movq %r13, spin_regs+24(%rip)\n"          \
                "movq %r14, spin_regs+32(%rip)\n"          \
                "movq %r15, spin_regs+40(%rip)\n"          \
                "movq %rsp, spin_regs+48(%rip)\n"          \
                "movq (%rsp), %rax\n"                      \
                "movq %rax, spin_regs+56(%rip)\n"          \
                "jmp " #impl "\n"                          \
                ".size " #name ", .-" #name "\n"           \
                ".popsection\n");
#endif

#endif
