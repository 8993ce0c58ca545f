/*
 * The model on the command line.
 *
 *     model run [sc|tso|pso ...] [FILE]   the outcomes and counts of the programs of a file or of standard input
 *     model generate SEED N [INDEX]       N random programs, or one of them, as text
 *     model emit [FILE]                   the programs of a file as one C source
 */
#include "model.h"

#include <stdlib.h>
#include <string.h>

#define STATES 4000000

static int usage(void)
{
        fprintf(stderr,
                "usage: model run [sc|tso|pso ...] [FILE] | model generate SEED N [INDEX] | model emit [FILE]\n");
        return 2;
}

static void tell(const struct program *p, enum memory memory)
{
        struct behaviours b = {0};
        model_run(&b, p, memory, STATES);
        printf("%s %s: traces %llu, stuck %llu, outcomes %d, executions %.0f, states %llu%s\n", p->name,
               memory_names[memory], (unsigned long long)b.traces, (unsigned long long)b.stuck, b.n, b.paths,
               (unsigned long long)b.states, b.all ? "" : " (given up)");
        for (int i = 0; i < b.n; i++) {
                printf("  %4llu:", (unsigned long long)b.outcomes[i].traces);
                for (int k = 0; k < p->n_regs; k++)
                        printf(" r%d=0x%llx", k, (unsigned long long)b.outcomes[i].r[k]);
                printf(" m=");
                for (int k = 0; k < 24; k++)
                        printf("%s%02x", k && k % 8 == 0 ? "." : "", b.outcomes[i].m[k]);
                printf("\n");
        }
        behaviours_fini(&b);
}

static int run(int argc, char **argv)
{
        static struct program p;
        unsigned wanted = 0;
        int at = 0, got;
        for (; at < argc; at++) {
                int k = 0;
                while (k < N_MEMORIES && strcmp(argv[at], memory_names[k]) != 0)
                        k++;
                if (k == N_MEMORIES)
                        break;
                wanted |= 1u << k;
        }
        FILE *f = at < argc ? fopen(argv[at], "r") : stdin;
        if (!f)
                return usage();
        while ((got = program_read(&p, f)) > 0)
                for (int k = 0; k < N_MEMORIES; k++)
                        if (!wanted || wanted >> k & 1)
                                tell(&p, (enum memory)k);
        return got < 0 ? 2 : 0;
}

static int emit(const char *path)
{
        static struct program p;
        FILE *f = path ? fopen(path, "r") : stdin;
        int n = 0, got;
        if (!f)
                return usage();
        emit_head(stdout);
        while ((got = program_read(&p, f)) > 0)
                emit_program(stdout, &p, n++);
        emit_main(stdout, n);
        return got < 0 ? 2 : 0;
}

int main(int argc, char **argv)
{
        static struct program p;
        if (argc > 1 && strcmp(argv[1], "run") == 0)
                return run(argc - 2, argv + 2);
        if (argc > 1 && strcmp(argv[1], "emit") == 0)
                return emit(argv[2]);
        if (argc < 4 || strcmp(argv[1], "generate") != 0)
                return usage();
        uint64_t seed = strtoull(argv[2], NULL, 0);
        int first = argc > 4 ? atoi(argv[4]) : 0, n = argc > 4 ? 1 : atoi(argv[3]);
        for (int i = first; i < first + n; i++) {
                model_choose_program(&p, seed, i);
                program_print(&p, stdout);
        }
        return 0;
}
