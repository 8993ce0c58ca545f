/*
 * Entries that know no types (untyped.h): where they continue.
 *
 * Each comes here with its data in r11, and all argument registers and the stack as the caller left them; rax counts the
 * vector registers of a call with variable arguments.  They are kept, a C function is called with the data and the saved
 * registers (rax, then the arguments, the last first, then the return address), and what it returns is jumped to.  All this is
 * done away from the program's frames (gap.h).
 */
#include "rt/arch/x86_64/gap.h"
#include "rt/arch/x86_64/macros.inc"

        .macro  untyped enter, target
        .globl  \enter
        .hidden \enter
        .type   \enter, @function
\enter:
        mov     %rbx, spin_regs(%rip)   /* as a stub does (stub.h) */
        mov     %rbp, spin_regs+8(%rip)
        mov     %r12, spin_regs+16(%rip)
        mov     %r13, spin_regs+24(%rip)
        mov     %r14, spin_regs+32(%rip)
        mov     %r15, spin_regs+40(%rip)
        mov     %rsp, spin_regs+48(%rip)
        mov     (%rsp), %r10
        mov     %r10, spin_regs+56(%rip)
        lea     -RT_GAP(%rsp), %rsp     /* at an entry the stack is 8 bytes off its alignment, ... */
        push    RT_GAP(%rsp)            /* ... the return address and ... */
        push    %rdi
        push    %rsi
        push    %rdx
        push    %rcx
        push    %r8
        push    %r9
        push    %rax
        mov     %rsp, %rsi
        sub     $136, %rsp              /* ... seven and this put it right */
        save_vectors 0, %rsp
        mov     %r11, %rdi
        call    \target
        mov     %rax, %r11
        load_vectors 0, %rsp
        add     $136, %rsp
        pop     %rax
        pop     %r9
        pop     %r8
        pop     %rcx
        pop     %rdx
        pop     %rsi
        pop     %rdi
        lea     8 + RT_GAP(%rsp), %rsp
        jmp     *%r11
        .size   \enter, . - \enter
        .endm

        .text
        untyped refuse_enter, refuse_target
        untyped stream_enter, stream_target
        untyped effect_enter, effect_target
        untyped unlisted_enter, unlisted_target

        .section .note.GNU-stack, "", @progbits
