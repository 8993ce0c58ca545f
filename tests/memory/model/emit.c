/* Programs of the model in C: plain accesses are volatile, so that no compiler merges them. */
#include "program.h"

static const char *const c_orders[N_ORDERS] = {
        "", "__ATOMIC_RELAXED", "__ATOMIC_ACQUIRE", "__ATOMIC_RELEASE", "__ATOMIC_ACQ_REL", "__ATOMIC_SEQ_CST"};

void emit_head(FILE *f)
{
        fputs("#include <heddle/heddle.h>\n"
              "#include <pthread.h>\n"
              "#include <stdint.h>\n"
              "#include <stdlib.h>\n"
              "#include <string.h>\n\n"
              "uint64_t m[3]; /* the memory */\n"
              "uint64_t r[16];\n"
              "int which;\n"
              "static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};\n"
              "static pthread_spinlock_t spinlocks[2];\n"
              "static pthread_t threads[8];\n"
              "#define AT(bits, off) ((uint##bits##_t *)((char *)m + (off)))\n"
              "#ifdef __clang__\n"
              "#define AS_IT_IS __attribute__((noinline, optnone)) /* no compiler makes loads and stores of the calls "
              "*/\n"
              "#else\n"
              "#define AS_IT_IS __attribute__((noipa))\n"
              "#endif\n"
              "AS_IT_IS static void set(int to, int byte, int n) { memset((char *)m + to, byte, n); }\n"
              "AS_IT_IS static void copy(int to, int from, int n) { memmove((char *)m + to, (char *)m + from, n); }\n"
              "AS_IT_IS static uint64_t compare(int a, int b, int n) { int v = memcmp((char *)m + a, (char *)m + b, "
              "n); "
              "return v < 0 ? 1 : v > 0 ? 2 : 0; }\n"
              "typedef unsigned __int128 uint128_t __attribute__((aligned(1)));\n"
              "static uint64_t fold(uint128_t v) { return (uint64_t)v + 3 * (uint64_t)(v >> 64); }\n"
              "#define TWICE(v) ((uint128_t)(v) << 64 | (v))\n"
              "#define PLAIN(bits, off) (*(volatile uint##bits##_t *)AT(bits, off))\n",
              f);
}

static void emit_value(FILE *f, const struct op *o)
{
        if (o->from != NO_REG)
                fprintf(f, "(uint%d_t)r%d", 8 * o->size, o->from);
        else
                fprintf(f, "UINT64_C(0x%llx)", (unsigned long long)low(o->value, o->size));
}

static void emit_cas(FILE *f, const struct op *o)
{
        static const enum order failed[N_ORDERS] = {RELAXED, RELAXED, ACQUIRE, RELAXED, ACQUIRE, SEQ_CST};
        fprintf(f, "{ uint%d_t e = UINT64_C(0x%llx); __atomic_compare_exchange_n(AT(%d, %d), &e, ", 8 * o->size,
                (unsigned long long)low(o->expected, o->size), 8 * o->size, o->off);
        emit_value(f, o);
        fprintf(f, ", 0, %s, %s); r%d = e; }\n", c_orders[o->order], c_orders[failed[o->order]], o->reg);
}

static void emit_rmw(FILE *f, const struct op *o)
{
        fprintf(f, "r%d = __atomic_%s(AT(%d, %d), ", o->reg, o->kind == OP_ADD ? "fetch_add" : "exchange_n",
                8 * o->size, o->off);
        emit_value(f, o);
        fprintf(f, ", %s);\n", c_orders[o->order]);
}

static void emit_store(FILE *f, const struct op *o)
{
        fprintf(f, o->order == PLAIN ? "PLAIN(%d, %d) = " : "__atomic_store_n(AT(%d, %d), ", 8 * o->size, o->off);
        fprintf(f, o->size == 16 ? "TWICE(" : "(");
        emit_value(f, o);
        fprintf(f, ")");
        if (o->order != PLAIN)
                fprintf(f, ", %s)", c_orders[o->order]);
        fprintf(f, ";\n");
}

static void emit_load(FILE *f, const struct op *o)
{
        fprintf(f,
                o->size == 16       ? "fold(PLAIN(%d, %d))"
                : o->order == PLAIN ? "PLAIN(%d, %d)"
                                    : "__atomic_load_n(AT(%d, %d), ",
                8 * o->size, o->off);
        if (o->order != PLAIN)
                fprintf(f, "%s)", c_orders[o->order]);
}

static void emit_op(FILE *f, const struct op *o, int index)
{
        fprintf(f, "        ");
        if (o->if_reg != NO_REG)
                fprintf(f, "if (r%d == UINT64_C(0x%llx)) ", o->if_reg, (unsigned long long)o->if_value);
        switch (o->kind) {
        case OP_STORE: emit_store(f, o); break;
        case OP_LOAD:
                fprintf(f, "r%d = ", o->reg);
                emit_load(f, o);
                fprintf(f, ";\n");
                break;
        case OP_AWAIT:
                fprintf(f, "while (");
                emit_load(f, o);
                fprintf(f, " != UINT64_C(0x%llx));\n", (unsigned long long)low(o->value, o->size));
                break;
        case OP_SET: fprintf(f, "set(%d, %u, %d);\n", o->off, (unsigned)(o->value & 255), o->size); break;
        case OP_COPY: fprintf(f, "copy(%d, %d, %d);\n", o->off, (int)o->value, o->size); break;
        case OP_COMPARE: fprintf(f, "r%d = compare(%d, %d, %d);\n", o->reg, o->off, (int)o->value, o->size); break;
        case OP_XCHG:
        case OP_ADD: emit_rmw(f, o); break;
        case OP_CAS: emit_cas(f, o); break;
        case OP_FENCE: fprintf(f, "__atomic_thread_fence(%s);\n", c_orders[o->order]); break;
        case OP_LOCK:
        case OP_UNLOCK: fprintf(f, "pthread_mutex_%s(&mutexes[%d]);\n", kind_names[o->kind], o->off); break;
        case OP_SPINLOCK:
        case OP_SPINUNLOCK:
                fprintf(f, "pthread_spin_%s(&spinlocks[%d]);\n", kind_names[o->kind] + 4, (o->off - 24) / 4);
                break;
        case OP_CREATE: fprintf(f, "pthread_create(&threads[%d], 0, p%d_t%d, 0);\n", o->off, index, o->off); break;
        default: fprintf(f, "pthread_join(threads[%d], 0);\n", o->off); break;
        }
}

static void emit_thread(FILE *f, const struct thread *t, int index, int number)
{
        fprintf(f, number ? "static void *p%d_t%d(void *arg)\n{\n" : "static void p%d_t%d(void)\n{\n", index, number);
        for (int i = 0; i < t->n; i++)
                if (t->ops[i].reg != NO_REG)
                        fprintf(f, "        uint64_t r%d = 0;\n", t->ops[i].reg);
        for (int i = 0; i < t->n; i++)
                emit_op(f, &t->ops[i], index);
        for (int i = 0; i < t->n; i++)
                if (t->ops[i].reg != NO_REG)
                        fprintf(f, "        r[%d] = r%d;\n", t->ops[i].reg, t->ops[i].reg);
        fprintf(f, number ? "        return arg;\n}\n" : "}\n");
}

void emit_program(FILE *f, const struct program *p, int index)
{
        fprintf(f, "\n/* program %d: %s */\n", index, p->name);
        for (int t = p->n_threads - 1; t >= 0; t--)
                emit_thread(f, &p->threads[t], index, t);
}

void emit_main(FILE *f, int n)
{
        fprintf(f, "\nstatic void (*const programs[])(void) = {\n");
        for (int i = 0; i < n; i++)
                fprintf(f, "        p%d_t0,\n", i);
        fputs("};\n\n"
              "int main(int argc, char **argv)\n"
              "{\n"
              "        pthread_spin_init(&spinlocks[0], PTHREAD_PROCESS_PRIVATE);\n"
              "        pthread_spin_init(&spinlocks[1], PTHREAD_PROCESS_PRIVATE);\n"
              "        if (argc > 1)\n"
              "                which = atoi(argv[1 + (argc > 2 ? heddle_choose(argc - 1) : 0)]);\n"
              "        programs[which]();\n"
              "        return 0;\n"
              "}\n",
              f);
}
