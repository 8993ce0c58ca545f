#define RESULT 3
        .globl upper
upper:  movl $RESULT, %eax
        ret
        .section .note.GNU-stack, "", @progbits
