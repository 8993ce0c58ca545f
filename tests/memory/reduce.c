/* Makes a program that differs from the model smaller. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

/* Does program `index`, alone, differ? */
static bool differs_alone(struct binary *b, int index, const char *strategy, enum memory memory, FILE *f)
{
        bool by_time;
        struct behaviours *m = &b->model[index];
        behaviours_fini(m);
        model_run(m, &b->programs[index], memory, MODEL_STATES);
        if (m->stuck || !m->all)
                return false;
        if (!binary_run(b, &index, 1, strategy, memory, &by_time)) {
                if (f)
                        fprintf(f, "    heddle fails: see %s.err\n", b->path);
                return !by_time;
        }
        return !binary_same(b, index, strategy, f);
}

/* Drops operation i of thread t, and what belongs to it.  False: it stays. */
static bool drop(struct program *p, int t, int i)
{
        struct thread *th = &p->threads[t];
        struct op o = th->ops[i];
        int gone[2] = {i, -1};
        if (o.kind == OP_UNLOCK || o.kind == OP_SPINUNLOCK || o.kind == OP_JOIN)
                return false;
        if (o.kind == OP_CREATE && p->threads[o.off].n)
                return false;
        enum kind end = o.kind == OP_LOCK ? OP_UNLOCK : o.kind == OP_SPINLOCK ? OP_SPINUNLOCK : OP_JOIN;
        if (o.kind == OP_LOCK || o.kind == OP_SPINLOCK || o.kind == OP_CREATE)
                for (int k = i + 1; k < th->n && gone[1] < 0; k++)
                        if (th->ops[k].kind == end && th->ops[k].off == o.off)
                                gone[1] = k;
        for (int g = 1; g >= 0; g--) {
                if (gone[g] >= 0) {
                        memmove(&th->ops[gone[g]], &th->ops[gone[g] + 1],
                                (size_t)(--th->n - gone[g]) * sizeof(struct op));
                }
        }
        return true;
}

static bool drop_one(struct binary *small, const char *strategy, enum memory memory)
{
        for (int t = MAX_THREADS - 1; t >= 0; t--) {
                for (int i = small->programs[0].threads[t].n - 1; i >= 0; i--) {
                        struct program before = small->programs[0];
                        if (drop(&small->programs[0], t, i) && binary_build(small) == 0 &&
                            differs_alone(small, 0, strategy, memory, NULL))
                                return true;
                        small->programs[0] = before;
                }
        }
        return false;
}

void reduce(const struct binary *b, int index, const char *strategy, enum memory memory)
{
        struct binary *small = calloc(1, sizeof(*small));
        if (!small)
                abort();
        small->o = b->o;
        small->totals = b->totals;
        small->level = b->level;
        small->n = 1;
        small->programs[0] = b->programs[index];
        snprintf(small->path, sizeof(small->path), "%.200s-%d-reduced", b->path, index);
        if (binary_build(small) != 0 || !differs_alone(small, 0, strategy, memory, NULL)) {
                printf("    (alone it does not differ)\n");
        } else {
                while (drop_one(small, strategy, memory))
                        ;
                binary_build(small);
                printf("  reduced (%s.c, %s):\n", small->path, small->level);
                program_print(&small->programs[0], stdout);
                differs_alone(small, 0, strategy, memory, stdout);
        }
        fflush(stdout);
        behaviours_fini(&small->model[0]);
        behaviours_fini(&small->heddle[0]);
        free(small);
}
