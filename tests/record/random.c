/*
 * Random programs whose threads can disagree with a run of one after the other: what `tests/record/run.sh` records and reproduces.
 *
 *     random SEED >program.c
 *
 * A program prints, before its assertion fails, which way each branch of its threads went (o), and which values they read and left
 * (v): all outcomes must be the same when it is reproduced, values need not be; where they are, the recorded times must allow the
 * execution.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define DEEP 3

static uint64_t state;
static unsigned threads, variables, locks;

static unsigned draw(unsigned n)
{
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return (unsigned)(state >> 24) % n;
}

static void block(unsigned thread, unsigned deep, unsigned held);

static void statement(unsigned t, unsigned deep, unsigned held)
{
        unsigned x = draw(variables), y = draw(variables), lock = held + draw(locks);

        switch (draw(deep < DEEP ? 10 : 5)) {
        case 0: printf("x%u = %u;\n", x, draw(4)); break;
        case 1: printf("x%u = value(%u, x%u) + %u;\n", x, t, y, 1 + draw(3)); break;
        case 2: printf("value(%u, atomic_fetch_add(&x%u, %u));\n", t, x, 1 + draw(2)); break;
        case 3: printf("x%u = value(%u, x%u) * 2 + value(%u, x%u);\n", x, t, x, t, y); break;
        case 4: printf("sum[%u] += value(%u, x%u);\n", t, t, x); break;
        case 5:
        case 6:
                printf("if (way(%u, value(%u, x%u) %s %u)) {\n", t, t, x, draw(2) ? ">" : "==", draw(4));
                block(t, deep + 1, held);
                printf("} else {\n");
                block(t, deep + 1, held);
                printf("}\n");
                break;
        case 7:
                printf("for (int i%u = 0; way(%u, i%u < %u && value(%u, x%u) < 40); i%u++) {\n", deep, t, deep,
                       1 + draw(3), t, x, deep);
                block(t, deep + 1, held);
                printf("}\n");
                break;
        case 8:
                if (lock >= locks) { /* in one order only: no deadlock */
                        printf("x%u = 0;\n", x);
                        break;
                }
                printf("pthread_mutex_lock(&m%u);\n", lock);
                block(t, deep + 1, lock + 1);
                printf("pthread_mutex_unlock(&m%u);\n", lock);
                break;
        default: printf("call[way(%u, value(%u, x%u) > 1)](%u, &x%u);\n", t, t, x, t, y); break;
        }
}

static void block(unsigned thread, unsigned deep, unsigned held)
{
        for (unsigned i = 1 + draw(3); i; i--)
                statement(thread, deep, held);
}

static void head(void)
{
        printf("#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdio.h>\n"
               "static int seen[%u][1000], n[%u], sum[%u];\n"
               "static int value(int t, int v) { if (n[t] < 1000) seen[t][n[t]++] = 2 * v; return v; }\n"
               "static int way(int t, int v) { if (n[t] < 1000) seen[t][n[t]++] = 2 * v + 1; return v; }\n"
               "static void more(int t, atomic_int *x) { *x = value(t, *x) + 1; }\n"
               "static void less(int t, atomic_int *x) { *x = value(t, *x) - 1; }\n"
               "static void (*const call[2])(int, atomic_int *) = {more, less};\n",
               threads, threads, threads);
        for (unsigned i = 0; i < locks; i++)
                printf("static pthread_mutex_t m%u = PTHREAD_MUTEX_INITIALIZER;\n", i);
        for (unsigned i = 0; i < variables; i++)
                printf("static atomic_int x%u;\n", i);
}

int main(int argc, char **argv)
{
        state = (argc > 1 ? strtoull(argv[1], NULL, 10) : 1) * UINT64_C(0x9e3779b97f4a7c15) | 1;
        threads = 2 + draw(2);
        variables = 2 + draw(3);
        locks = 1 + draw(2);
        head();
        for (unsigned t = 0; t < threads; t++) {
                printf("static void *f%u(void *arg)\n{\n", t);
                block(t, 0, 0);
                block(t, 0, 0);
                printf("return arg;\n}\n");
        }
        printf("static void *(*const all[])(void *) = {");
        for (unsigned t = 0; t < threads; t++)
                printf("f%u, ", t);
        printf("};\nint main(void)\n{\npthread_t t[%u];\nint want[%u], bad = 0;\n", threads, variables);
        printf("for (int i = 0; i < %u; i++) all[i](0);\n", threads);
        for (unsigned i = 0; i < variables; i++)
                printf("want[%u] = x%u; x%u = 0;\n", i, i, i);
        printf("for (int i = 0; i < %u; i++) n[i] = 0;\n", threads);
        printf("for (int i = 0; i < %u; i++) pthread_create(&t[i], 0, all[i], 0);\n", threads);
        printf("for (int i = 0; i < %u; i++) pthread_join(t[i], 0);\n", threads);
        for (unsigned i = 0; i < variables; i++)
                printf("bad |= want[%u] != x%u;\n", i, i);
        printf("if (bad) {\nfor (int i = 0; i < %u; i++)\nfor (int k = 0; k < n[i]; k++)\n"
               "printf(\"%%s %%d %%d\\n\", seen[i][k] & 1 ? \"o\" : \"v\", i, seen[i][k] / 2);\n",
               threads);
        for (unsigned i = 0; i < variables; i++)
                printf("printf(\"v %%d\\n\", x%u);\n", i);
        printf("}\nfflush(stdout);\nassert(!bad);\nreturn 0;\n}\n");
        return 0;
}
