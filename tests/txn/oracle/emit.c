/* Programs in C: plain accesses are volatile, so that no compiler merges them. */
#include "program.h"

void emit_head(FILE *f)
{
        fputs("#include <heddle/heddle.h>\n"
              "#include <immintrin.h>\n"
              "#include <pthread.h>\n"
              "#include <stdlib.h>\n"
              "#include <unistd.h>\n\n"
              "static volatile int far[3 * 16] __attribute__((aligned(64))), near[16] __attribute__((aligned(64)));\n"
              "static pthread_mutex_t m[2] __attribute__((aligned(64)));\n"
              "unsigned r[3];\n"
              "int x[3], which;\n"
              "static pthread_t threads[3];\n"
              "static void *volatile block;\n"
              "#define FOLD(v) (h = h * 31 + (unsigned)(v) + 1)\n",
              f);
}

static void emit_place(FILE *f, const struct program *p, const struct op *o)
{
        fprintf(f, p->packed ? "near[%d]" : "far[16 * %d]", o->at);
}

/* The operations whose text has a cell in it: before, after. */
static const char *const texts[N_KINDS][2] = {
        [OP_LOAD] = {"FOLD(", ");"},
        [OP_STORE] = {"", " = "},
        [OP_ADD] = {"FOLD(__atomic_fetch_add((int *)&", ", 1, __ATOMIC_SEQ_CST));"},
        [OP_INC] = {"", "++;"},
        [OP_ABORT] = {"if (", " == "},
        [OP_CALL] = {"if (", " == "},
};

static void emit_op(FILE *f, const struct program *p, const struct op *o)
{
        fputs("        ", f);
        if (texts[o->kind][0]) {
                fputs(texts[o->kind][0], f);
                emit_place(f, p, o);
                fputs(texts[o->kind][1], f);
        }
        switch (o->kind) {
        case OP_STORE: fprintf(f, "%d;", o->value); break;
        case OP_ABORT: fprintf(f, "%d) _xabort(%d);", o->value, o->code); break;
        case OP_CALL: fprintf(f, "%d) getppid();", o->value); break;
        case OP_FENCE: fputs("__atomic_thread_fence(__ATOMIC_SEQ_CST);", f); break;
        case OP_LOCK: fprintf(f, "pthread_mutex_lock(&m[%d]);", o->at); break;
        case OP_UNLOCK: fprintf(f, "pthread_mutex_unlock(&m[%d]);", o->at); break;
        case OP_TEST: fputs("FOLD(_xtest());", f); break;
        case OP_MALLOC: fputs("{ volatile int *b = malloc(4); *b = 5; FOLD(*b); free((void *)b); }", f); break;
        case OP_NEST: fputs("if (_xbegin() != _XBEGIN_STARTED) FOLD(77);", f); break;
        case OP_UNNEST: fputs("_xend();", f); break;
        default: break;
        }
        fputc('\n', f);
}

static int emit_transaction(FILE *f, const struct program *p, const struct thread *t, int i)
{
        const struct op *o = &t->ops[i];

        fprintf(f, "        for (int i = 0;;) {\n        unsigned s = _xbegin();\n        if (s == _XBEGIN_STARTED) {\n");
        for (i++; i < o->to - 1; i++)
                emit_op(f, p, &t->ops[i]);
        fprintf(f, "        _xend();\n        break;\n        }\n");
        if (o->tested)
                fprintf(f, "        FOLD(s);\n");
        fprintf(f, "        if (++i < %d) continue;\n", o->tries);
        for (i = o->to; i < t->ops[o->to - 1].to; i++)
                emit_op(f, p, &t->ops[i]);
        fprintf(f, "        break;\n        }\n");
        return i;
}

void emit_program(FILE *f, const struct program *p, int index)
{
        for (int t = 0; t < p->n_threads; t++) {
                const struct thread *th = &p->threads[t];

                fprintf(f, "\nstatic void *p%d_t%d(void *arg)\n{\n        unsigned h = 0;\n", index, t);
                for (int i = 0; i < th->n;) {
                        if (th->ops[i].kind == OP_BEGIN)
                                i = emit_transaction(f, p, th, i);
                        else
                                emit_op(f, p, &th->ops[i++]);
                }
                fprintf(f, "        r[%d] = h;\n        return arg;\n}\n", t);
        }
        fprintf(f, "\nstatic void p%d(void)\n{\n", index);
        for (int t = 0; t < p->n_threads; t++)
                fprintf(f, "        pthread_create(&threads[%d], 0, p%d_t%d, 0);\n", t, index, t);
        for (int t = 0; t < p->n_threads; t++)
                fprintf(f, "        pthread_join(threads[%d], 0);\n", t);
        for (int i = 0; i < CELLS; i++)
                fprintf(f, p->packed ? "        x[%d] = near[%d];\n" : "        x[%d] = far[16 * %d];\n", i, i);
        fprintf(f, "}\n");
}

void emit_main(FILE *f, int n)
{
        fprintf(f, "\nstatic void (*const programs[])(void) = {");
        for (int i = 0; i < n; i++)
                fprintf(f, "p%d, ", i);
        fputs("};\n\nint main(int argc, char **argv)\n{\n"
              "        which = atoi(argv[1 + (argc > 2 ? heddle_choose(argc - 1) : 0)]);\n"
              "        programs[which]();\n        return 0;\n}\n",
              f);
}
