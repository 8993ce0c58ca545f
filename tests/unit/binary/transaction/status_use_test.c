/* What machine code does with the status of a transaction: samples of compilers and others, each a function. */
#include "binary/transaction/status_use.h"

#include <stdio.h>

static int failed;

/* Each begins with xbegin, which aborts to what follows it. */
#define SAMPLE(name, code)                                                                  \
        __asm__(".text\n" #name ":\n"                                                       \
                "push %rbp\nmov %rsp, %rbp\nsub $32, %rsp\n"                                \
                ".byte 0xc7, 0xf8, 0, 0, 0, 0\n" #name "_at:\n" code "\n" #name "_end:\n"); \
        extern const uint8_t name[], name##_at[], name##_end[]

#define LEAVE "xor %eax, %eax\nleave\nret\n"

SAMPLE(register_compared, "cmp $-1, %eax\njne 1f\nnop\n1:" LEAVE);
SAMPLE(variable_compared, "mov %eax, -4(%rbp)\ncall printf\ncmpl $-1, -4(%rbp)\nje 1f\nnop\n1:" LEAVE);
SAMPLE(kept_compared,
       "mov %eax, %ebx\ncall printf\nxor %eax, %eax\ncmp $-1, %ebx\nsete %al\nmov -8(%rbp), %rbx\nleave\nret\n");
SAMPLE(ended, "mov %eax, -4(%rbp)\ncmpl $-1, -4(%rbp)\njne 1f\nxend\n1: xabort $3\n" LEAVE);
SAMPLE(bit_stored, "cmp $-1, %eax\nsete %al\nmovzbl %al, %edi\ncall printf\n" LEAVE);
SAMPLE(compared_in_a_loop,
       "cmp $-1, %eax\njne status_loop\n" LEAVE "status_loop:\nmov $-1, %eax\n.byte 0xc7, 0xf8\n.long "
       "compared_in_a_loop_at - . - 4\njmp compared_in_a_loop_at");
SAMPLE(bit_tested, "cmp $-1, %eax\nje 1f\ntest $2, %al\n1:" LEAVE);
SAMPLE(compared_with_another, "cmp $2, %eax\nje 1f\nnop\n1:" LEAVE);
SAMPLE(compared_in_part, "cmp $-1, %ax\nje 1f\nnop\n1:" LEAVE);
SAMPLE(sign_tested, "cmp $-1, %eax\njs 1f\nnop\n1:" LEAVE);
SAMPLE(returned, "leave\nret\n");
SAMPLE(passed, "mov %eax, %edi\ncall printf\n" LEAVE);
SAMPLE(stored, "mov %eax, (%rcx)\n" LEAVE);
SAMPLE(variable_tested, "mov %eax, -4(%rbp)\ncmpl $-1, -4(%rbp)\nje 1f\nmov -4(%rbp), %edx\nand $2, %edx\n1:" LEAVE);
SAMPLE(variable_read_in_part, "mov %eax, -4(%rbp)\nmovzbl -1(%rbp), %edx\n" LEAVE);
SAMPLE(variable_escapes, "lea -4(%rbp), %rdi\nmov %eax, -4(%rbp)\ncall printf\n" LEAVE);
SAMPLE(variable_in_an_array, "lea -8(%rbp), %rdi\nmov %eax, -4(%rbp)\ncall printf\n" LEAVE);
SAMPLE(frame_escapes, "mov %rbp, %rdi\nmov %eax, -4(%rbp)\ncall printf\n" LEAVE);
SAMPLE(variable_indexed, "mov %eax, -4(%rbp)\nmov -16(%rbp,%rcx,4), %edx\n" LEAVE);
SAMPLE(read_by_stack_pointer, "mov %eax, -4(%rbp)\nmov 28(%rsp), %edx\n" LEAVE);
SAMPLE(read_by_a_handler, "mov %eax, %ebx\ncall printf\nleave\nret\ntest $2, %bl\n" LEAVE);
SAMPLE(variable_of_a_handler, "mov %eax, -4(%rbp)\ncall printf\nleave\nret\ntestl $2, -4(%rbp)\n" LEAVE);
SAMPLE(jumps_away, "jmp printf\n");
SAMPLE(address, "mov (%rdx,%rax,4), %ecx\n" LEAVE);
SAMPLE(upper_bytes, "cmp $-1, %eax\nsete %al\nmov %eax, %edi\n" LEAVE);
SAMPLE(pushed, "push %rax\n" LEAVE);

#define CHECK(name, expected)                                                                                      \
        check(status_compared(name, (uintptr_t)(name), (uintptr_t)name##_end, (uintptr_t)name##_at) == (expected), \
              #name)

static void check(int ok, const char *name)
{
        printf("%s status_use/%s%s\n", ok ? "PASS" : "FAIL", name, ok ? "" : ": not as expected");
        failed |= !ok;
}

int main(void)
{
        CHECK(register_compared, true);
        CHECK(variable_compared, true);
        CHECK(kept_compared, true);
        CHECK(ended, true);
        CHECK(bit_stored, true);
        CHECK(compared_in_a_loop, true);
        CHECK(bit_tested, false);
        CHECK(compared_with_another, false);
        CHECK(compared_in_part, false);
        CHECK(sign_tested, false);
        CHECK(returned, false);
        CHECK(passed, false);
        CHECK(stored, false);
        CHECK(variable_tested, false);
        CHECK(variable_read_in_part, false);
        CHECK(variable_escapes, false);
        CHECK(variable_in_an_array, false);
        CHECK(frame_escapes, false);
        CHECK(variable_indexed, false);
        CHECK(read_by_stack_pointer, false);
        CHECK(read_by_a_handler, false);
        CHECK(variable_of_a_handler, false);
        CHECK(jumps_away, false);
        CHECK(address, false);
        CHECK(upper_bytes, false);
        CHECK(pushed, false);
        return failed;
}
