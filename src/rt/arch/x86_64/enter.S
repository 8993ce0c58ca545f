/*
 * Where an instruction of inline assembly is performed (locked.c).
 *
 * locked_enter is jumped to, with the number of the instruction on the stack, below the red zone of the program.  All other
 * registers, flags included, are the program's.  They are saved as struct locked_frame, and so is what C code may use of the
 * floating-point state; then locked_perform() does the deed, changes the saved registers, and puts the address to go
 * on at in the place of the number.
 *
 *      CFA = stack pointer of the program
 *      -136  number                                      (the red zone lies above)
 *            RT_GAP bytes that are not touched            (gap.h); offsets below are from here on
 *      -144  number, then the address to continue at
 *      -152  flags
 *      -280  rax rcx rdx rbx rsp rbp rsi rdi r8 ... r15   <- rbx here
 *            saved state, aligned to 64                   <- rsp here
 */
#include "rt/arch/x86_64/gap.h"

        .text
        .globl  locked_enter
        .hidden locked_enter
        .type   locked_enter, @function
locked_enter:
        .cfi_startproc
        .cfi_def_cfa rsp, 136
        .cfi_offset rip, -136
        leaq    -RT_GAP(%rsp), %rsp
        .cfi_adjust_cfa_offset RT_GAP
        pushq   RT_GAP(%rsp)
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset rip, 0
        pushfq
        .cfi_adjust_cfa_offset 8
        pushq   %r15
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset r15, 0
        pushq   %r14
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset r14, 0
        pushq   %r13
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset r13, 0
        pushq   %r12
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset r12, 0
        pushq   %r11
        .cfi_adjust_cfa_offset 8
        pushq   %r10
        .cfi_adjust_cfa_offset 8
        pushq   %r9
        .cfi_adjust_cfa_offset 8
        pushq   %r8
        .cfi_adjust_cfa_offset 8
        pushq   %rdi
        .cfi_adjust_cfa_offset 8
        pushq   %rsi
        .cfi_adjust_cfa_offset 8
        pushq   %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset rbp, 0
        pushq   %rsp                    /* room */
        .cfi_adjust_cfa_offset 8
        pushq   %rbx
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset rbx, 0
        pushq   %rdx
        .cfi_adjust_cfa_offset 8
        pushq   %rcx
        .cfi_adjust_cfa_offset 8
        pushq   %rax
        .cfi_adjust_cfa_offset 8
        cld
        movq    %rsp, %rbx
        .cfi_def_cfa_register rbx
        subq    locked_state_size(%rip), %rsp
        andq    $-64, %rsp
        movl    locked_state_mask(%rip), %eax
        testl   %eax, %eax
        jz      1f
        xorl    %edx, %edx
        movq    %rdx, 512(%rsp)         /* the header, which must be zero where xsave does not write */
        movq    %rdx, 520(%rsp)
        movq    %rdx, 528(%rsp)
        movq    %rdx, 536(%rsp)
        movq    %rdx, 544(%rsp)
        movq    %rdx, 552(%rsp)
        movq    %rdx, 560(%rsp)
        movq    %rdx, 568(%rsp)
        xsave64 (%rsp)
        movq    %rbx, %rdi
        movq    %rsp, %rsi
        callq   locked_perform
        movl    locked_state_mask(%rip), %eax
        xorl    %edx, %edx
        xrstor64 (%rsp)
        jmp     2f
1:      fxsave64 (%rsp)
        movq    %rbx, %rdi
        movq    %rsp, %rsi
        callq   locked_perform
        fxrstor64 (%rsp)
2:      movq    %rbx, %rsp
        .cfi_def_cfa_register rsp
        popq    %rax
        .cfi_adjust_cfa_offset -8
        popq    %rcx
        .cfi_adjust_cfa_offset -8
        popq    %rdx
        .cfi_adjust_cfa_offset -8
        popq    %rbx
        .cfi_adjust_cfa_offset -8
        .cfi_restore rbx
        leaq    8(%rsp), %rsp
        .cfi_adjust_cfa_offset -8
        popq    %rbp
        .cfi_adjust_cfa_offset -8
        .cfi_restore rbp
        popq    %rsi
        .cfi_adjust_cfa_offset -8
        popq    %rdi
        .cfi_adjust_cfa_offset -8
        popq    %r8
        .cfi_adjust_cfa_offset -8
        popq    %r9
        .cfi_adjust_cfa_offset -8
        popq    %r10
        .cfi_adjust_cfa_offset -8
        popq    %r11
        .cfi_adjust_cfa_offset -8
        popq    %r12
        .cfi_adjust_cfa_offset -8
        .cfi_restore r12
        popq    %r13
        .cfi_adjust_cfa_offset -8
        .cfi_restore r13
        popq    %r14
        .cfi_adjust_cfa_offset -8
        .cfi_restore r14
        popq    %r15
        .cfi_adjust_cfa_offset -8
        .cfi_restore r15
        popfq
        .cfi_adjust_cfa_offset -8
        ret     $(128 + 8 + RT_GAP)
        .cfi_endproc
        .size   locked_enter, .-locked_enter

        .section .note.GNU-stack,"",@progbits
