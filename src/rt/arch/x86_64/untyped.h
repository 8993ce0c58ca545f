/*
 * UNTYPED_ENTRY(name, enter, data): a function `name` of any type that hands its data over to `enter` (untyped.S), which
 * asks a C function where to continue, and jumps there.  The data are a pointer, first NULL, and what the directives say.
 * UNTYPED_WEAK_ENTRY: another definition of the name wins.
 */
#ifndef HEDDLE_RT_ARCH_X86_64_UNTYPED_H
#define HEDDLE_RT_ARCH_X86_64_UNTYPED_H

#define UNTYPED_ENTRY(name, enter, data)      UNTYPED_BOUND(".globl ", name, enter, data)
#define UNTYPED_WEAK_ENTRY(name, enter, data) UNTYPED_BOUND(".weak ", name, enter, data)
#define UNTYPED_BOUND(binding, name, enter, data)          \
        __asm__(".pushsection .data\n"                     \
                ".balign 8\n"                              \
                "1:      .quad 0\n" data ".popsection\n"   \
                ".text\n" binding #name "\n"               \
                ".type " #name ", @function\n" #name ":\n" \
                "        lea  1b(%rip), %r11\n"            \
                "        jmp  " #enter "\n"                \
                ".size " #name ", . - " #name "\n");

#endif
