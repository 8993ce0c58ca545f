        .globl lower
lower:  movl $2, %eax
        ret
        .section .note.GNU-stack, "", @progbits
