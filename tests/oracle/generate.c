/*
 * generate [-x] [-m MIX] [-l LIMIT] SEED COUNT [I [ID,ID,...]]
 *
 * Writes one C file with COUNT small random programs; `./prog I` runs number I.  With I only that program is written,
 * without the operations whose numbers (ID) are listed.  MIX is all, cancel, sections, exits or blocks (program.h).  With -x the
 * behaviour of the programs is written instead, as the model (model.c) knows it: lines "known I", "blocks I", "fails I KIND", "stuck I THREADS" and "seen I OUTCOME".
 */
#include "program.h"

#include <stdlib.h>
#include <string.h>

const char *const program_mixes[] = {
        [MIX_ALL] = "all", [MIX_CANCEL] = "cancel", [MIX_SECTIONS] = "sections",
        [MIX_EXITS] = "exits", [MIX_BLOCKS] = "blocks"};

enum mix program_mix(const char *name)
{
        int m = MIX_BLOCKS;
        while (m > MIX_ALL && strcmp(name, program_mixes[m]) != 0)
                m--;
        return (enum mix)m;
}

static int usage(void)
{
        fputs("usage: generate [-x] [-m MIX] [-l LIMIT] SEED COUNT [I [ID,ID,...]]\n", stderr);
        return 2;
}

static void emit_main(int first, int end)
{
        printf("\nint main(int argc, char **argv)\n{\n        switch (argc > 1 ? atoi(argv[1]) : %d) {\n", first);
        for (int i = first; i < end; i++)
                printf("        case %d:\n                return p%d();\n", i, i);
        printf("        default:\n                fputs(\"no such program\\n\", stderr);\n                return 2;\n"
               "        }\n}\n");
}

static void tell_model(const struct program *p, int index, const bool *drop)
{
        static const char *const kinds[FAIL_COUNT] = {
                [FAIL_DEADLOCK] = "deadlock", [FAIL_LIVELOCK] = "livelock", [FAIL_ASSERTION] = "assertion",
                [FAIL_ABORT] = "abort",       [FAIL_CRASH] = "crash",       [FAIL_STATUS] = "exit-status",
                [FAIL_MISUSE] = "lock-misuse", [FAIL_USED] = "use-after-free", [FAIL_FREED] = "double-free",
                [FAIL_LEAK] = "leak",
        };
        static struct behaviour b;
        program_model(p, index, drop, &b);
        if (!b.known)
                return;
        printf("known %d\n", index);
        if (b.blocks)
                printf("blocks %d\n", index);
        for (int k = 0; k < FAIL_COUNT; k++)
                if (b.fails[k])
                        printf("fails %d %s\n", index, kinds[k]);
        for (unsigned bits = 0; bits < 1u << MAX_THREADS; bits++) {
                if (!b.stuck[bits])
                        continue;
                printf("stuck %d ", index);
                int number = 0; /* as heddle counts: threads that were dropped have none */
                for (int t = 0; t < MAX_THREADS; t++) {
                        if (bits >> t & 1)
                                printf("T%d ", number);
                        number += t == 0 || program_creates(p, t, drop);
                }
                printf("\n");
        }
        for (int i = 0; i < b.n; i++) {
                printf("seen %d ", index);
                for (int k = 0; k < MAX_THREADS; k++)
                        if (b.seen[i].r[k])
                                printf("r[%d]=%lld ", k, (long long)b.seen[i].r[k]);
                for (int k = 0; k < 3; k++)
                        if (b.seen[i].x[k])
                                printf("x[%d]=%lld ", k, (long long)b.seen[i].x[k]);
                printf("\n");
        }
}

int main(int argc, char **argv)
{
        double limit = 3000;
        static struct program p;
        bool drop[MAX_NODES] = {false};

        bool model = false;
        if (argc > 1 && strcmp(argv[1], "-x") == 0) {
                model = true;
                argc--;
                argv++;
        }
        enum mix mix = MIX_ALL;
        if (argc > 2 && strcmp(argv[1], "-m") == 0) {
                mix = program_mix(argv[2]);
                argc -= 2;
                argv += 2;
        }
        if (argc > 2 && strcmp(argv[1], "-l") == 0) {
                limit = atof(argv[2]);
                argc -= 2;
                argv += 2;
        }
        if (argc < 3 || argc > 5)
                return usage();
        uint64_t seed = strtoull(argv[1], NULL, 0);
        int first = argc > 3 ? atoi(argv[3]) : 0, end = argc > 3 ? first + 1 : atoi(argv[2]);
        if (first < 0 || end <= first || end > atoi(argv[2]))
                return usage();
        for (char *s = argc > 4 ? argv[4] : NULL; s && *s;) {
                long id = strtol(s, &s, 10);
                if (id < 0 || id >= MAX_NODES || (*s && *s != ','))
                        return usage();
                drop[id] = true;
                s += *s == ',';
        }
        for (int i = first; model && i < end; i++) {
                program_generate(&p, seed, i, limit, mix);
                tell_model(&p, i, drop);
        }
        if (model)
                return fflush(stdout) ? 1 : 0;
        printf("/* Written by generate -m %s -l %.0f %llu %s. */\n", program_mixes[mix], limit,
               (unsigned long long)seed, argv[2]);
        printf("#define _GNU_SOURCE\n");
        program_emit_head(stdout);
        for (int i = first; i < end; i++) {
                program_generate(&p, seed, i, limit, mix);
                program_emit(stdout, &p, i, drop);
        }
        emit_main(first, end);
        return fflush(stdout) ? 1 : 0;
}
