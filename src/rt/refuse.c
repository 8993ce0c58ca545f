/*
 * Calls that are not modelled yet are refused with their name, never run wild; outside `check` they go through.
 *
 * Each is an entry of two instructions that knows no types: refuse_enter keeps the argument registers and the stack as
 * they are, asks refuse_target() where to go, and jumps there.  None of them takes a floating-point argument.
 */
#include "rt/rt.h"

/* One for each entry, made by the assembly below. */
struct refused {
        void *real;  /* looked up at the first call outside `check` */
        char name[]; /* then, after its end, what to do instead */
};

static void refuse(const char *name)
{
        char text[WIRE_TEXT];
        const char *hint = name;
        size_t n = 0;

        while (*hint)
                text[n++] = *hint++;
        if (*++hint) {
                text[n++] = ' ';
                text[n++] = '(';
                while (*hint && n < sizeof text - 2)
                        text[n++] = *hint++;
                text[n++] = ')';
        }
        text[n] = 0;
        rt_refuse(text);
}

/* Called by refuse_enter only.  Returns the real function; in `check`, not at all. */
void *refuse_target(struct refused *r) __attribute__((visibility("hidden"), used));
void *refuse_target(struct refused *r)
{
        if (rt_on())
                refuse(r->name);
        if (!r->real)
                r->real = rt_real(r->name);
        return r->real;
}

/* At an entry the stack is 8 bytes off its alignment; seven registers put it right.  rax counts the vector registers
 * of a call with variable arguments. */
__asm__(".text\n"
        ".type refuse_enter, @function\n"
        "refuse_enter:\n"
        "        push %rdi\n"
        "        push %rsi\n"
        "        push %rdx\n"
        "        push %rcx\n"
        "        push %r8\n"
        "        push %r9\n"
        "        push %rax\n"
        "        mov  %r11, %rdi\n"
        "        call refuse_target\n"
        "        mov  %rax, %r11\n"
        "        pop  %rax\n"
        "        pop  %r9\n"
        "        pop  %r8\n"
        "        pop  %rcx\n"
        "        pop  %rdx\n"
        "        pop  %rsi\n"
        "        pop  %rdi\n"
        "        jmp  *%r11\n"
        ".size refuse_enter, . - refuse_enter\n");

#define REFUSE(name) REFUSE_HINT(name, "")
#define REFUSE_HINT(name, hint)                            \
        __asm__(".pushsection .data\n"                     \
                ".balign 8\n"                              \
                "1:      .quad 0\n"                        \
                "        .asciz \"" #name "\"\n"           \
                "        .asciz \"" hint "\"\n"            \
                ".popsection\n"                            \
                ".text\n"                                  \
                ".globl " #name "\n"                       \
                ".type " #name ", @function\n" #name ":\n" \
                "        lea  1b(%rip), %r11\n"            \
                "        jmp  refuse_enter\n"              \
                ".size " #name ", . - " #name "\n");
#include "rt/refuse.def"
