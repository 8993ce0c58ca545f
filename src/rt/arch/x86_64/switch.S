/*
 * Fiber switch for x86-64.
 *
 * fiber_switch(void **from, void *to, void *fs): saves the callee-saved registers, MXCSR and the x87 control word on
 * the stack, the stack pointer in *from; continues at `to` with thread pointer `fs`.  The last step is a jump, not a
 * return: the return predictor would always be wrong.
 *
 * With kernel threads (FIBER_KERNEL) the one that has this thread pointer continues there instead; this one continues at
 * the next switch to its thread pointer.
 */
        .text
        .globl  fiber_switch
        .hidden fiber_switch
        .type   fiber_switch, @function
fiber_switch:
        .cfi_startproc
        pushq   %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset rbp, 0
        pushq   %rbx
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset rbx, 0
        pushq   %r12
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset r12, 0
        pushq   %r13
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset r13, 0
        pushq   %r14
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset r14, 0
        pushq   %r15
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset r15, 0
        subq    $8, %rsp
        .cfi_adjust_cfa_offset 8
        stmxcsr (%rsp)
        fnstcw  4(%rsp)
        movq    %rsp, (%rdi)
        cmpb    $1, fiber_mode(%rip)    /* FIBER_FSGSBASE */
        jne     1f
        movl    (%rsp), %ecx
        movq    %rsi, %rsp
        wrfsbase %rdx
        cmpl    (%rsp), %ecx            /* most often it is the same, and the comparison costs less */
        je      4f
2:      ldmxcsr (%rsp)
4:      fldcw   4(%rsp)
        addq    $8, %rsp
        popq    %r15
        popq    %r14
        popq    %r13
        popq    %r12
        popq    %rbx
        popq    %rbp
        popq    %rcx
        jmp     *%rcx
1:      ja      3f
        movq    %rsi, %rsp
        movq    %rdx, %rsi              /* arch_prctl(ARCH_SET_FS, fs) */
        movl    $0x1002, %edi
        movl    $158, %eax
        syscall
        jmp     2b
3:      movq    %rsp, %rbx              /* for the unwinder */
        .cfi_def_cfa_register rbx
        movq    %rdx, %rdi
        andq    $-16, %rsp
        call    pool_hand_over
        movq    %rax, %rsp
        jmp     2b
        .cfi_endproc
        .size   fiber_switch, .-fiber_switch

/* fiber_continue(void *sp): continues at a stack pointer that fiber_switch() saved or fiber_prepare() made. */
        .globl  fiber_continue
        .hidden fiber_continue
        .type   fiber_continue, @function
fiber_continue:
        movq    %rdi, %rsp
        jmp     2b
        .size   fiber_continue, .-fiber_continue

/* The bottom of every fiber's stack: calls the function in %rbx and ends the unwinding here. */
        .globl  fiber_bottom
        .hidden fiber_bottom
        .type   fiber_bottom, @function
fiber_bottom:
        .cfi_startproc
        .cfi_undefined rip
        .cfi_undefined rbp
        xorl    %ebp, %ebp
        callq   *%rbx
        ud2
        .cfi_endproc
        .size   fiber_bottom, .-fiber_bottom

        .section .note.GNU-stack,"",@progbits
