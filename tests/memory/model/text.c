/* Programs of the model as text: see program.h. */
#include "program.h"

#include <stdlib.h>
#include <string.h>

const char *const kind_names[N_KINDS] = {"store", "load",    "xchg",     "add",        "cas",   "fence",
                                         "lock",  "unlock",  "spinlock", "spinunlock", "await", "set",
                                         "copy",  "compare", "create",   "join"};
const char *const order_names[N_ORDERS] = {"plain", "relaxed", "acquire", "release", "acq_rel", "seq_cst"};

/* The next word of the line, or NULL. */
static char *word(char **line)
{
        return strtok_r(NULL, " \t\n", line);
}

static int find(const char *const *names, int n, const char *w)
{
        for (int i = 0; w && i < n; i++)
                if (strcmp(names[i], w) == 0)
                        return i;
        return -1;
}

static bool number(char **line, uint64_t *out)
{
        char *w = word(line), *end = w;
        if (w)
                *out = strtoull(w, &end, 0);
        return w && end != w && *end == '\0';
}

static bool small(char **line, int limit, int *out)
{
        uint64_t v;
        if (!number(line, &v) || v >= (uint64_t)limit)
                return false;
        *out = (int)v;
        return true;
}

static int reg_of(const char *w)
{
        if (!w || w[0] != 'r' || w[1] < '0' || w[1] > '9' || atoi(w + 1) >= MAX_REGS)
                return NO_REG;
        return atoi(w + 1);
}

/* A number, or a register. */
static bool operand(char **line, struct op *o)
{
        char *w = word(line), *end = w;
        o->from = reg_of(w);
        if (!w || o->from != NO_REG)
                return w;
        o->value = strtoull(w, &end, 0);
        return *end == '\0';
}

static bool place(char **line, struct op *o)
{
        int order = find(order_names, N_ORDERS, word(line));
        if (order < 0 || !small(line, MEMORY, &o->off) || !small(line, 17, &o->size))
                return false;
        o->order = (enum order)order;
        if (order == PLAIN && (o->kind == OP_LOAD || o->kind == OP_STORE))
                return o->size && !(o->size & (o->size - 1)) && o->off + o->size <= MEMORY;
        return o->size && o->size <= 8 && !(o->size & (o->size - 1)) && o->off % o->size == 0 &&
               o->off + o->size <= MEMORY;
}

/* set, copy, and compare, whose ranges must not overlap. */
static bool read_block(struct op *o, char **line)
{
        if (!small(line, MEMORY, &o->off) || !small(line, MEMORY - o->off + 1, &o->size) || !o->size)
                return false;
        if (o->kind == OP_COMPARE && (o->reg = reg_of(word(line))) == NO_REG)
                return false;
        if (!number(line, &o->value) || (o->kind != OP_SET && o->value + (uint64_t)o->size > MEMORY))
                return false;
        return o->kind != OP_COMPARE || o->off + o->size <= (int)o->value || (int)o->value + o->size <= o->off;
}

static bool read_op(struct op *o, char *first, char **line)
{
        int k = find(kind_names, N_KINDS, first), order;
        if (k < 0)
                return false;
        o->kind = (enum kind)k;
        switch (o->kind) {
        case OP_STORE: return place(line, o) && operand(line, o);
        case OP_LOAD: return place(line, o) && (o->reg = reg_of(word(line))) != NO_REG;
        case OP_XCHG:
        case OP_ADD: return place(line, o) && (o->reg = reg_of(word(line))) != NO_REG && operand(line, o);
        case OP_CAS:
                return place(line, o) && (o->reg = reg_of(word(line))) != NO_REG && number(line, &o->expected) &&
                       operand(line, o);
        case OP_AWAIT: return place(line, o) && number(line, &o->value);
        case OP_SET:
        case OP_COPY:
        case OP_COMPARE: return read_block(o, line);
        case OP_FENCE:
                order = find(order_names, N_ORDERS, word(line));
                o->order = (enum order)order;
                return order > PLAIN;
        case OP_SPINLOCK:
        case OP_SPINUNLOCK: o->size = 4; return small(line, MEMORY - 3, &o->off) && o->off % 4 == 0;
        case OP_LOCK:
        case OP_UNLOCK: return small(line, MUTEXES, &o->off);
        default: return small(line, MAX_THREADS, &o->off);
        }
}

static bool read_line(struct thread *t, struct program *p, char *first, char **line)
{
        struct op o = {.reg = NO_REG, .from = NO_REG, .if_reg = NO_REG};
        if (!t || t->n == MAX_OPS)
                return false;
        if (strcmp(first, "if") == 0) {
                if ((o.if_reg = reg_of(word(line))) == NO_REG || !number(line, &o.if_value))
                        return false;
                first = word(line);
        }
        if (!first || !read_op(&o, first, line) || word(line))
                return false;
        if (o.reg >= p->n_regs)
                p->n_regs = o.reg + 1;
        t->ops[t->n++] = o;
        return true;
}

int program_read(struct program *p, FILE *f)
{
        char text[256], *line, *w;
        struct thread *t = NULL;
        bool inside = false;
        memset(p, 0, sizeof(*p));
        while (fgets(text, sizeof(text), f)) {
                text[strcspn(text, "#")] = '\0';
                if (!(w = strtok_r(text, " \t\n", &line)))
                        continue;
                if (!inside && strcmp(w, "program") == 0 && (w = word(&line))) {
                        snprintf(p->name, sizeof(p->name), "%s", w);
                        inside = true;
                } else if (inside && strcmp(w, "end") == 0) {
                        return 1;
                } else if (inside && strcmp(w, "thread") == 0 && p->n_threads < MAX_THREADS) {
                        t = &p->threads[p->n_threads++];
                } else if (!inside || !read_line(t, p, w, &line)) {
                        fprintf(stderr, "model: program %s: cannot understand the line that begins with %s\n", p->name,
                                w);
                        return -1;
                }
        }
        return inside ? -1 : 0;
}

static void print_op(const struct op *o, FILE *f)
{
        fprintf(f, "  ");
        if (o->if_reg != NO_REG)
                fprintf(f, "if r%d 0x%llx ", o->if_reg, (unsigned long long)o->if_value);
        fprintf(f, "%s", kind_names[o->kind]);
        if (o->kind <= OP_FENCE || o->kind == OP_AWAIT)
                fprintf(f, " %s", order_names[o->order]);
        if (o->kind != OP_FENCE)
                fprintf(f, " %d", o->off);
        if (o->kind <= OP_CAS || (o->kind >= OP_AWAIT && o->kind <= OP_COMPARE))
                fprintf(f, " %d", o->size);
        if (o->reg != NO_REG)
                fprintf(f, " r%d", o->reg);
        if (o->kind == OP_CAS)
                fprintf(f, " 0x%llx", (unsigned long long)o->expected);
        if (o->from != NO_REG)
                fprintf(f, " r%d", o->from);
        else if (o->kind == OP_STORE || is_rmw(o) || (o->kind >= OP_AWAIT && o->kind <= OP_COMPARE))
                fprintf(f, " 0x%llx", (unsigned long long)o->value);
        fprintf(f, "\n");
}

void program_print(const struct program *p, FILE *f)
{
        fprintf(f, "program %s\n", p->name);
        for (int t = 0; t < p->n_threads; t++) {
                fprintf(f, "thread\n");
                for (int i = 0; i < p->threads[t].n; i++)
                        print_op(&p->threads[t].ops[i], f);
        }
        fprintf(f, "end\n");
}
