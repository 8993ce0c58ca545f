/*
 * Where an instruction of inline assembly is performed (locked.c).
 *
 * locked_enter is jumped to, with the number of the instruction on the stack, below the red zone of the program.  All other
 * registers, flags included, are the program's.  They are saved as struct locked_frame, and so is what C code may use of the
 * floating-point state; then locked_perform() performs the instruction, changes the saved registers, and replaces the number by
 * the address to continue at.
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
#include "rt/arch/x86_64/macros.inc"

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
        push_kept r15, r14, r13, r12
        push_cfi r11, r10, r9, r8, rdi, rsi
        push_kept rbp
        push_cfi rsp                    /* room */
        push_kept rbx
        push_cfi rdx, rcx, rax
        cld
        movq    %rsp, %rbx
        .cfi_def_cfa_register rbx
        subq    locked_state_size(%rip), %rsp
        andq    $-64, %rsp
        movl    locked_state_mask(%rip), %eax
        testl   %eax, %eax
        jz      1f
        xorl    %edx, %edx
        .irp    i, 512, 520, 528, 536, 544, 552, 560, 568
        movq    %rdx, \i(%rsp)          /* the header, which must be zero where xsave does not write */
        .endr
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
        pop_cfi rax, rcx, rdx
        pop_kept rbx
        leaq    8(%rsp), %rsp
        .cfi_adjust_cfa_offset -8
        pop_kept rbp
        pop_cfi rsi, rdi, r8, r9, r10, r11
        pop_kept r12, r13, r14, r15
        popfq
        .cfi_adjust_cfa_offset -8
        ret     $(128 + 8 + RT_GAP)
        .cfi_endproc
        .size   locked_enter, .-locked_enter

        .section .note.GNU-stack,"",@progbits
