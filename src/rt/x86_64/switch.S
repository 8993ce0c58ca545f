/*
 * Fiber switch for x86-64.
 *
 * fiber_switch(void **from, void *to, void *fs): saves the callee-saved registers, MXCSR and the x87 control word on
 * the stack, the stack pointer in *from; continues at `to` with thread pointer `fs`.  The last step is a jump, not a
 * return: the return predictor would always be wrong.
 */
        .text
        .globl  fiber_switch
        .hidden fiber_switch
        .type   fiber_switch, @function
fiber_switch:
        pushq   %rbp
        pushq   %rbx
        pushq   %r12
        pushq   %r13
        pushq   %r14
        pushq   %r15
        subq    $8, %rsp
        stmxcsr (%rsp)
        fnstcw  4(%rsp)
        movq    %rsp, (%rdi)
        movq    %rsi, %rsp
        cmpb    $0, fiber_fsgsbase(%rip)
        je      1f
        wrfsbase %rdx
2:      ldmxcsr (%rsp)
        fldcw   4(%rsp)
        addq    $8, %rsp
        popq    %r15
        popq    %r14
        popq    %r13
        popq    %r12
        popq    %rbx
        popq    %rbp
        popq    %rcx
        jmp     *%rcx
1:      movq    %rdx, %rsi              /* arch_prctl(ARCH_SET_FS, fs) */
        movl    $0x1002, %edi
        movl    $158, %eax
        syscall
        jmp     2b
        .size   fiber_switch, .-fiber_switch

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
