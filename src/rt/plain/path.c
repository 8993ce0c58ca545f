/* Paths (instrument/path.h) of a program that is linked without the recorder: nothing is kept. */
#include <stdint.h>

#include "rt/rt.h"

RT_EXPORT extern __thread uint64_t __heddle_path;
__thread uint64_t __heddle_path = 1;

RT_EXPORT extern uint64_t __heddle_code[2];
uint64_t __heddle_code[2];

RT_EXPORT void __heddle_branch(uint64_t value, uint32_t bits);
void __heddle_branch(uint64_t value, uint32_t bits)
{
        (void)value;
        (void)bits;
}

RT_EXPORT void __heddle_branch_call(uint64_t function);
void __heddle_branch_call(uint64_t function)
{
        (void)function;
}

/* The calling convention preserves almost all registers: these change none. */
__asm__(".globl __heddle_path_full, __heddle_path_bits\n"
        ".type __heddle_path_full, @function\n"
        ".type __heddle_path_bits, @function\n"
        "__heddle_path_full:\n"
        "__heddle_path_bits:\n"
        "        movq __heddle_path@gottpoff(%rip), %r11\n"
        "        movq $1, %fs:(%r11)\n"
        "        ret\n"
        ".size __heddle_path_full, . - __heddle_path_full\n"
        ".size __heddle_path_bits, . - __heddle_path_bits\n");
