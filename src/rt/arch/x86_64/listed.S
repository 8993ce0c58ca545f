/*
 * Calls that are listed in calls.def: in by listed_enter, out by listed_make (struct call_frame in listed.h).
 *
 * An entry comes with its row in r11.  The frame is kept by rbp, so that exceptions and cancellation unwind through it.
 */
#include "rt/arch/x86_64/macros.inc"

        .set    XMM, 48
        .set    RAX, 176
        .set    RDX, 184
        .set    XMM_RESULT, 192
        .set    X87, 224
        .set    STACK, 240
        .set    SITE, 248
        .set    IS_X87, 256
        .set    FRAME, 272
        .set    COPIED, 64              /* bytes of arguments on the stack; what lies behind them is there, and ignored */

        .text
        .globl  listed_enter
        .hidden listed_enter
        .type   listed_enter, @function
listed_enter:
        .cfi_startproc
        push    %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        mov     %rsp, %rbp
        .cfi_def_cfa_register %rbp
        mov     %rbx, spin_regs(%rip)   /* as RT_STUB has them */
        mov     (%rbp), %r10
        mov     %r10, spin_regs+8(%rip)
        mov     %r12, spin_regs+16(%rip)
        mov     %r13, spin_regs+24(%rip)
        mov     %r14, spin_regs+32(%rip)
        mov     %r15, spin_regs+40(%rip)
        lea     8(%rbp), %r10
        mov     %r10, spin_regs+48(%rip)
        mov     8(%rbp), %r10
        mov     %r10, spin_regs+56(%rip)
        sub     $FRAME, %rsp
        mov     %rdi, (%rsp)
        mov     %rsi, 8(%rsp)
        mov     %rdx, 16(%rsp)
        mov     %rcx, 24(%rsp)
        mov     %r8, 32(%rsp)
        mov     %r9, 40(%rsp)
        save_vectors XMM, %rsp
        mov     %rax, RAX(%rsp)
        mov     %r10, SITE(%rsp)
        lea     16(%rbp), %r10
        mov     %r10, STACK(%rsp)
        mov     %r11, %rdi
        mov     %rsp, %rsi
        call    listed_run
        mov     RAX(%rsp), %rax
        mov     RDX(%rsp), %rdx
        movaps  XMM_RESULT(%rsp), %xmm0
        movaps  XMM_RESULT+16(%rsp), %xmm1
        cmpq    $0, IS_X87(%rsp)
        je      1f
        fldt    X87(%rsp)
1:      leave
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_endproc
        .size   listed_enter, . - listed_enter

/* void listed_make(void *real, struct call_frame *f) */
        .globl  listed_make
        .hidden listed_make
        .type   listed_make, @function
listed_make:
        .cfi_startproc
        push    %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        mov     %rsp, %rbp
        .cfi_def_cfa_register %rbp
        push    %rbx
        .cfi_offset %rbx, -24
        sub     $(COPIED + 8), %rsp
        mov     %rdi, %r11
        mov     %rsi, %rbx
        mov     STACK(%rbx), %r10
        movups  (%r10), %xmm0
        movaps  %xmm0, (%rsp)
        movups  16(%r10), %xmm0
        movaps  %xmm0, 16(%rsp)
        movups  32(%r10), %xmm0
        movaps  %xmm0, 32(%rsp)
        movups  48(%r10), %xmm0
        movaps  %xmm0, 48(%rsp)
        load_vectors XMM, %rbx
        mov     (%rbx), %rdi
        mov     8(%rbx), %rsi
        mov     16(%rbx), %rdx
        mov     24(%rbx), %rcx
        mov     32(%rbx), %r8
        mov     40(%rbx), %r9
        mov     RAX(%rbx), %rax
        call    *%r11
        mov     %rax, RAX(%rbx)
        mov     %rdx, RDX(%rbx)
        movaps  %xmm0, XMM_RESULT(%rbx)
        movaps  %xmm1, XMM_RESULT+16(%rbx)
        cmpq    $0, IS_X87(%rbx)
        je      1f
        fstpt   X87(%rbx)
1:      mov     -8(%rbp), %rbx
        leave
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_endproc
        .size   listed_make, . - listed_make

        .section .note.GNU-stack, "", @progbits
