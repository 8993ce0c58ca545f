/* Instructions of inline assembly: what is found in functions of this program, and what may be overwritten. */
#include "binary/asm_scan.h"

#include <stdio.h>
#include <string.h>

static int failed;

static void check(int ok, const char *name)
{
        printf("%s locked/%s%s\n", ok ? "PASS" : "FAIL", name, ok ? "" : ": not as expected");
        failed |= !ok;
}

/* One function with all of them, each begun by a label. */
__asm__(".text\n"
        ".globl locked_samples\n"
        ".type locked_samples, @function\n"
        "locked_samples:\n"
        "mfence\n"
        "jmp 1f\n" /* has to stay */
        "1: xchgl %eax, (%rdx)\n"
        "movl %eax, -4(%rbp)\n" /* may be moved */
        "xchgl %eax, %edx\n"    /* no memory */
        "nop\n"
        "lock xaddq %r9, 16(%rbx,%r12,8)\n"
        "leaq locked_samples(%rip), %rcx\n"
        "lock orl $0, (%rsp)\n"
        "movq (%rdi), %rax\n"
        "lock incl (%rax)\n"
        "call locked_samples\n"
        "lock negl (%rax)\n"
        "xaddl %ecx, (%rax)\n"
        "lock incl %fs:8(%rax)\n"
        "lfence\n"
        "je 2f\n"
        "lock\n"
        "2: decl (%rax)\n"
        "cmpxchgl %ecx, %edx\n"
        "movl $1, (%rdx)\n" /* not inline assembly, as far as is known */
        "3: movl $0, locked_samples(%rip)\n"
        "leaq (%rax), %rax\n"
        "addl %ecx, 4(%rax)\n"
        "4: ret\n"
        ".pushsection .debug_heddle_asm,\"\",@progbits\n"
        ".quad 3b, 4b, 0, 0\n"
        ".popsection\n"
        ".size locked_samples, . - locked_samples\n");
extern const char locked_samples[];

static struct locked all[32];
static unsigned n;

static void take(void *arg, const struct locked *l)
{
        const uint64_t *range = arg;

        if (l->at.addr >= range[0] && l->at.addr < range[1] && n < 32)
                all[n++] = *l;
}

/* Where the function is in the file: this program may be anywhere. */
static uint64_t bias(void)
{
        extern const char __executable_start[];

        return (uint64_t)(uintptr_t)__executable_start;
}

static void is(unsigned i, const char *name, int known)
{
        char text[64];

        snprintf(text, sizeof text, "%s_%u", name, i);
        check(i < n && strcmp(all[i].name, name) == 0 && all[i].known == known, text);
}

int main(void)
{
        uint64_t lo = (uint64_t)(uintptr_t)locked_samples, range[] = {lo, lo + 128};
        bool stripped;

        check(locked_find(&(struct locked_module){.path = "/proc/self/exe", .base = bias()}, &stripped, take, range) ==
                      0,
              "found");
        check(n == 11, "number");
        is(0, "mfence", 1);
        is(1, "xchg", 1);
        is(2, "lock xadd", 1);
        is(3, "lock or", 1);
        is(4, "lock inc", 1);
        is(5, "lock neg", 1);
        is(6, "xadd", 1);
        is(7, "lock inc", 1);
        is(8, "lock dec", 0);
        is(9, "mov", 1);
        is(10, "add", 1);
        check(all[9].at.kind == WIRE_LOCKED_STORE && all[9].at.fix == 2 && all[10].at.kind == WIRE_LOCKED_UPDATE,
              "inline_assembly");
        check(!stripped, "marks");
        check(all[0].at.span == 0, "stays_before_a_jump");
        check(all[1].at.span == 5 && all[1].at.before == 0 && all[1].at.size == 4 && all[1].at.source == 0 &&
                      all[1].at.base == 2,
              "moves_what_follows");
        check(all[2].at.base == 3 && all[2].at.index == 12 && all[2].at.scale == 8 && all[2].at.offset == 16 &&
                      all[2].at.source == 9 && all[2].at.size == 8 && all[2].at.span == all[2].at.length,
              "operands");
        check(all[3].at.fence && !all[2].at.fence, "stack_fence");
        check(all[4].at.before == 3 && all[4].at.span == 6, "moves_what_precedes");
        check(locked_find(&(struct locked_module){.path = "/dev/null"}, &stripped, take, range) == 0 && n == 11,
              "no_program");
        return failed;
}
