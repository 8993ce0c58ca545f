/*
 * __heddle_access: what instrumented code calls where an access needs the runtime (instrument/inline.h).
 *
 * The address of the access and a word about it are in memory (wire/inline.h).  It keeps all registers but the flags and vector
 * registers.  Spin detection finds them in spin_scratch and spin_regs, as of a stub (stub.h).
 *
 * Where a block of the heap ends in the granule, and the thread owns the bytes (shadow_known()), it returns at once.  It leaves nothing
 * on the stack then (gap.h).
 */
#include "rt/arch/x86_64/gap.h"
#include "rt/arch/x86_64/access.h"

#define AT (RT_GAP + 8) /* from the new rbx to the stack pointer at the call */

        .text
        .globl __heddle_access
        .type __heddle_access, @function
__heddle_access:
        .cfi_startproc
        movq %rax, kept(%rip)
        movq %rcx, kept+8(%rip)
        movq %rdx, kept+16(%rip)
        movq ACCESS_ADDRESS, %rax
        movl ACCESS_INFO, %ecx
        movl %eax, %edx
        andl $7, %edx
        andl $ACCESS_SIZE, %ecx
        jz 1f
        addl %ecx, %edx /* how many bytes of the granule it needs */
        movabsq $ACCESS_FLIP, %rcx
        andq $-8, %rax
        xorq %rcx, %rax
        movq ACCESS_SKEW(%rax), %rax
        xorq ACCESS_MARK, %rax
        movq %rax, %rcx
        shrq $12, %rcx /* 4 bits: one of RT_KNOWN, RT_SLOW, two of RT_KNOWN */
        testl $0xfff, %eax
        jnz 1f
        cmpq $15, %rcx
        ja 1f
        testl $4, %ecx
        jz 1f
        movl %ecx, %eax
        shrl $1, %ecx
        andl $3, %eax
        andl $4, %ecx
        orl %ecx, %eax
        cmpl %eax, %edx
        ja 1f
        movq kept(%rip), %rax
        movq kept+8(%rip), %rcx
        movq kept+16(%rip), %rdx
        ret
1:
        movq kept(%rip), %rax
        movq kept+8(%rip), %rcx
        movq kept+16(%rip), %rdx
        movq %rax, spin_scratch(%rip)
        movq %rcx, spin_scratch+8(%rip)
        movq %rdx, spin_scratch+16(%rip)
        movq %rbx, spin_scratch+24(%rip)
        movq %rbp, spin_scratch+40(%rip)
        movq %rsi, spin_scratch+48(%rip)
        movq %rdi, spin_scratch+56(%rip)
        movq %r8, spin_scratch+64(%rip)
        movq %r9, spin_scratch+72(%rip)
        movq %r10, spin_scratch+80(%rip)
        movq %r11, spin_scratch+88(%rip)
        movq %r12, spin_scratch+96(%rip)
        movq %r13, spin_scratch+104(%rip)
        movq %r14, spin_scratch+112(%rip)
        movq %r15, spin_scratch+120(%rip)
        movq $0, spin_scratch+128(%rip)
        movq $0, spin_scratch+136(%rip)
        movq %rbx, spin_regs(%rip)
        movq %rbp, spin_regs+8(%rip)
        movq %r12, spin_regs+16(%rip)
        movq %r13, spin_regs+24(%rip)
        movq %r14, spin_regs+32(%rip)
        movq %r15, spin_regs+40(%rip)
        leaq 8(%rsp), %rax
        movq %rax, spin_scratch+32(%rip)
        movq %rsp, spin_regs+48(%rip)
        movq (%rsp), %rax
        movq %rax, spin_regs+56(%rip)
        movq %rax, spin_kept(%rip)
        subq $RT_GAP, %rsp
        .cfi_adjust_cfa_offset RT_GAP
        pushq %rbx
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbx, 0
        movq %rsp, %rbx
        .cfi_def_cfa_register %rbx
        pushq spin_scratch(%rip)
        pushq %rcx
        pushq %rdx
        pushq %rsi
        pushq %rdi
        pushq %r8
        pushq %r9
        pushq %r10
        pushq %r11
        movq AT(%rbx), %rdi
        andq $-16, %rsp
        call access_inline
        leaq -72(%rbx), %rsp
        popq %r11
        popq %r10
        popq %r9
        popq %r8
        popq %rdi
        popq %rsi
        popq %rdx
        popq %rcx
        popq %rax
        .cfi_def_cfa_register %rsp
        popq %rbx
        .cfi_adjust_cfa_offset -8
        .cfi_restore %rbx
        addq $RT_GAP, %rsp
        .cfi_adjust_cfa_offset -RT_GAP
        ret
        .cfi_endproc
        .size __heddle_access, .-__heddle_access

/*
 * __heddle_access_at: the same where the call has no place among the compiler's (access_at.h).  Vector registers are kept, too,
 * those of 16 bytes: code with wider ones calls __heddle_access.
 */
        .globl __heddle_access_at
        .type __heddle_access_at, @function
__heddle_access_at:
        .cfi_startproc
        subq $RT_GAP, %rsp
        .cfi_adjust_cfa_offset RT_GAP
        pushq %r15
        pushq %r14
        pushq %r13
        pushq %r12
        pushq %r11
        pushq %r10
        pushq %r9
        pushq %r8
        pushq %rdi
        pushq %rsi
        pushq %rbp
        pushq %rsp
        pushq %rbx
        pushq %rdx
        pushq %rcx
        pushq %rax
        .cfi_adjust_cfa_offset 128
        .cfi_rel_offset %rbx, 24
        movq %rsp, %rbx
        .cfi_def_cfa_register %rbx
        leaq RT_GAP+136(%rsp), %rax
        movq %rax, 32(%rsp)
        movq %rsp, %rdi
        andq $-16, %rsp
        subq $256, %rsp
        movaps %xmm0, 0(%rsp)
        movaps %xmm1, 16(%rsp)
        movaps %xmm2, 32(%rsp)
        movaps %xmm3, 48(%rsp)
        movaps %xmm4, 64(%rsp)
        movaps %xmm5, 80(%rsp)
        movaps %xmm6, 96(%rsp)
        movaps %xmm7, 112(%rsp)
        movaps %xmm8, 128(%rsp)
        movaps %xmm9, 144(%rsp)
        movaps %xmm10, 160(%rsp)
        movaps %xmm11, 176(%rsp)
        movaps %xmm12, 192(%rsp)
        movaps %xmm13, 208(%rsp)
        movaps %xmm14, 224(%rsp)
        movaps %xmm15, 240(%rsp)
        call access_at
        movaps 0(%rsp), %xmm0
        movaps 16(%rsp), %xmm1
        movaps 32(%rsp), %xmm2
        movaps 48(%rsp), %xmm3
        movaps 64(%rsp), %xmm4
        movaps 80(%rsp), %xmm5
        movaps 96(%rsp), %xmm6
        movaps 112(%rsp), %xmm7
        movaps 128(%rsp), %xmm8
        movaps 144(%rsp), %xmm9
        movaps 160(%rsp), %xmm10
        movaps 176(%rsp), %xmm11
        movaps 192(%rsp), %xmm12
        movaps 208(%rsp), %xmm13
        movaps 224(%rsp), %xmm14
        movaps 240(%rsp), %xmm15
        movq %rbx, %rsp
        .cfi_def_cfa_register %rsp
        popq %rax
        popq %rcx
        popq %rdx
        popq %rbx
        popq %rsi /* the stack pointer */
        popq %rbp
        popq %rsi
        popq %rdi
        popq %r8
        popq %r9
        popq %r10
        popq %r11
        popq %r12
        popq %r13
        popq %r14
        popq %r15
        .cfi_adjust_cfa_offset -128
        .cfi_restore %rbx
        addq $RT_GAP, %rsp
        .cfi_adjust_cfa_offset -RT_GAP
        ret
        .cfi_endproc
        .size __heddle_access_at, .-__heddle_access_at

        .local kept
        .comm kept, 24, 8

        .section .note.GNU-stack,"",@progbits
