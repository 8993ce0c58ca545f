/*
 * Where a debugger lets a stopped thread describe the execution (rt/trace/debug_describe.c).
 *
 * The debugger stores the instruction pointer below the red zone, sets the stack pointer to that word and the instruction
 * pointer to heddle_debug_ask, and continues: the thread comes back to where it was, with all registers as they were.  A
 * debugger that calls a function writes the vector registers itself, which fails where it does not know all that the processor
 * has (gdb 13 and AMX).  C code uses of them only what fxsave keeps.
 */
        .text
        .globl  heddle_debug_ask
        .type   heddle_debug_ask, @function
heddle_debug_ask:
        pushfq
        .irp    r, rax, rcx, rdx, rbx, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15
        pushq   %\r
        .endr
        cld
        movq    %rsp, %rbx
        subq    $512, %rsp
        andq    $-64, %rsp
        fxsave64 (%rsp)
        callq   debug_describe
        fxrstor64 (%rsp)
        movq    %rbx, %rsp
        .irp    r, r15, r14, r13, r12, r11, r10, r9, r8, rdi, rsi, rbp, rbx, rdx, rcx, rax
        popq    %\r
        .endr
        popfq
        ret     $128
        .size   heddle_debug_ask, . - heddle_debug_ask

        .section .note.GNU-stack,"",@progbits
