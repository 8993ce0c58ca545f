/*
 * widths SEED: prints a program in which two threads access the same bytes in many widths, aligned and not, through fields and
 * pointers, in branches, loops and switches.  All accesses are volatile, so every compiler makes the same ones in the same order:
 * the outcomes do not depend on how the program is compiled.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state;

static unsigned any(unsigned n)
{
        state = state * 6364136223846793005u + 1442695040888963407u;
        return (unsigned)(state >> 33) % n;
}

static const struct {
        const char *name;
        unsigned size;
} types[] = {{"uint8_t", 1}, {"uint16_t", 2}, {"uint32_t", 4}, {"uint64_t", 8}};

/* An lvalue within the first 24 bytes of the memory: rarely across two words. */
static void place(void)
{
        unsigned i = any(4), size = types[i].size, offset = any(24);

        if (any(5) || offset + size > 24)
                offset = offset / 8 * 8 + (size < 8 ? any(8 / size) * size : 0);
        if (any(3) == 0) {
                static const char *const fields[] = {"whole", "half.lo", "half.hi", "quarter[1]", "quarter[3]", "byte[5]"};
                printf("s[%u].%s", any(3), fields[any(6)]);
        } else if (any(2)) {
                printf("(*(volatile %s_%s *)(p + %u))", types[i].name, offset % size ? "odd" : "even", offset);
        } else {
                printf("(*(volatile %s_odd *)(p + at + %d))", types[i].name, (int)offset - 8);
        }
}

static void statements(unsigned n, unsigned depth);

static void statement(unsigned depth)
{
        switch (any(depth ? 8 : 4)) {
        case 0:
        case 1: place(), printf(" = %u;\n", 1 + any(250)); break;
        case 2:
        case 3: printf("r = r * 31 + (unsigned)"), place(), printf(";\n"); break;
        case 4:
                printf("if (r & 1) {\n"), statements(1, depth - 1), printf("} else {\n"), statements(1, depth - 1);
                printf("}\n");
                break;
        case 5: printf("for (int i = 0; i < 2; i++) {\n"), statements(1, depth - 1), printf("}\n"); break;
        case 6:
                printf("switch (r %% 3) {\ncase 0:\n"), statements(1, depth - 1);
                printf("case 1:\n"), statements(1, depth - 1), printf("}\n");
                break;
        case 7: place(), printf("++;\n"); break;
        }
}

static void statements(unsigned n, unsigned depth)
{
        while (n--)
                statement(depth);
}

int main(int argc, char **argv)
{
        state = argc > 1 ? strtoull(argv[1], NULL, 10) * 0x9e3779b97f4a7c15u + 1 : 1;
        puts("#include <pthread.h>\n#include <stdint.h>");
        for (unsigned i = 0; i < 4; i++)
                printf("typedef %s %s_odd __attribute__((aligned(1)));\ntypedef %s %s_even;\n", types[i].name, types[i].name,
                       types[i].name, types[i].name);
        puts("struct word { union { volatile uint64_t whole; struct { volatile uint32_t lo, hi; } half;\n"
             "volatile uint16_t quarter[4]; volatile uint8_t byte[8]; }; };\n"
             "static _Alignas(16) unsigned char memory[32];\nunsigned char *p = memory;\n"
             "struct word *s = (struct word *)memory;\nlong at = 8;\nunsigned seen0, seen1, left;");
        for (unsigned t = 0; t < 2; t++) {
                printf("static void *thread%u(void *arg)\n{\nunsigned r = %u;\nunsigned char *p = arg;\nlong at = 8;\n"
                       "struct word *s = arg;\n__asm__(\"\" : \"+r\"(p), \"+r\"(s), \"+r\"(at));\n",
                       t, any(4));
                statements(3, 2);
                printf("seen%u = r;\nreturn arg;\n}\n", t);
        }
        puts("int main(void)\n{\npthread_t a, b;\npthread_create(&a, 0, thread0, memory);\npthread_create(&b, 0, thread1, memory);\n"
             "pthread_join(a, 0);\npthread_join(b, 0);\nfor (int i = 0; i < 32; i++)\nleft = left * 31 + memory[i];\nreturn 0;\n}");
        return 0;
}
