/*
 * The names in a trace file.  Each address is reported once; what has no name is omitted, and is a number again when it is
 * read.
 */
#include "trace/trace_file_names.h"

#include <inttypes.h>
#include <string.h>

#include "base/ptrmap.h"
#include "op/op.h"

struct writer {
        FILE *f;
        struct symbols *s;
        struct ptrmap places, data, expressions; /* reported already */
};

/* Is it new?  Out of memory: tell it again. */
static bool is_new(struct ptrmap *told, uint64_t addr)
{
        static char yes;

        if (ptrmap_find(told, addr))
                return false;
        (void)ptrmap_insert(told, addr, &yes);
        return true;
}

static void put_place(struct writer *w, uint64_t site)
{
        const struct symbols_frame *frames;

        if (!site || !is_new(&w->places, site))
                return;
        uint32_t n = symbols_frames(w->s, site, &frames);
        for (uint32_t i = 0; i < n; i++) {
                fprintf(w->f, "place %" PRIx64 " %x %x %x", site, frames[i].line, frames[i].inlined, frames[i].runtime);
                words_put(w->f, frames[i].function);
                words_put(w->f, frames[i].file ? frames[i].file : "");
                fputc('\n', w->f);
        }
}

static void put_address(struct writer *w, uint64_t addr, bool code)
{
        if (addr >= WIRE_OBJ_FUTEX(0) &&
            addr < WIRE_OBJ_FUTEX(UINT64_C(1) << 47)) /* a queue has the name of its word */
                addr -= WIRE_OBJ_FUTEX(0);
        if (addr <= UINT16_MAX || addr >= WIRE_OBJ_PROCESS || !is_new(&w->data, addr))
                return;
        const char *data = symbols_data(w->s, addr);
        const char *function = data || !code ? NULL : symbols_function(w->s, addr);
        const char *block = symbols_block(w->s, addr);
        if (block) {
                fprintf(w->f, "memory %" PRIx64, addr);
                words_put(w->f, block);
                fputc('\n', w->f);
        }
        if (!data && !function)
                return;
        fprintf(w->f, "%s %" PRIx64, data ? "data" : "function", addr);
        words_put(w->f, data ? data : function);
        fputc('\n', w->f);
}

static void put_expression(struct writer *w, uint64_t site, bool write)
{
        const char *text = is_new(&w->expressions, 2 * site + write) ? symbols_expression(w->s, site, write) : NULL;

        if (!text)
                return;
        fprintf(w->f, "expression %" PRIx64 " %x", site, write);
        words_put(w->f, text);
        fputc('\n', w->f);
}

static void put_stack(struct writer *w, uint64_t site, const uint64_t *stack, uint32_t n)
{
        put_place(w, site);
        for (uint32_t i = 0; i < n; i++)
                put_place(w, stack[i]);
}

void filenames_write(FILE *f, const struct trace *t, struct symbols *s)
{
        struct writer w = {.f = f, .s = s};

        for (uint32_t i = 0; i < t->n_threads; i++) {
                const struct wire_thread *th = &t->threads[i];
                put_stack(&w, th->site, th->stack, th->n_stack);
                put_address(&w, th->obj, false);
                put_address(&w, th->start, true);
        }
        for (uint32_t i = 1; i < t->n_frames; i++)
                put_place(&w, t->frames[i].site);
        for (uint32_t i = 0; i < t->n_failures; i++) {
                const struct wire_block *k = &t->failures[i].block;
                put_stack(&w, t->failures[i].site, t->failures[i].stack, t->failures[i].n_stack);
                if (t->failures[i].other)
                        put_place(&w, t->failures[i].other);
                for (uint32_t j = 0; j < k->n_allocated; j++)
                        put_place(&w, k->allocated[j]);
                for (uint32_t j = 0; j < k->n_freed; j++)
                        put_place(&w, k->freed[j]);
                if (t->failures[i].kind == WIRE_FAIL_INVARIANT)
                        put_address(&w, t->failures[i].addr, true);
        }
        for (uint32_t i = 0; i < t->n_events; i++) {
                const struct wire_event *e = &t->events[i];
                put_place(&w, e->site);
                put_address(&w, e->obj, false);
                if (op_object(e->op) == OP_OBJ_MEMORY)
                        put_expression(&w, e->site, e->mode != WIRE_MODE_READ);
                if (op_object(e->op) == OP_OBJ_MEMORY && e->size == 8 && e->value > UINT32_MAX)
                        put_address(&w, e->value, true);
        }
        ptrmap_fini(&w.places, NULL);
        ptrmap_fini(&w.data, NULL);
        ptrmap_fini(&w.expressions, NULL);
}

void filenames_write_list(FILE *f, const uint64_t *places, uint32_t n, const uint64_t *data, uint32_t m,
                          struct symbols *s)
{
        struct writer w = {.f = f, .s = s};

        put_stack(&w, 0, places, n);
        for (uint32_t i = 0; i < m; i++)
                put_address(&w, data[i], true);
        ptrmap_fini(&w.places, NULL);
        ptrmap_fini(&w.data, NULL);
}

static int read_place(struct words *w, struct symbols *s)
{
        struct symbols_frame frame = {0};
        uint64_t site, inlined, runtime;

        if (words_u64(w, &site) || words_u32(w, &frame.line) || words_number(w, 1, &inlined) ||
            words_number(w, 1, &runtime))
                return -1;
        frame.function = words_text(w);
        frame.file = frame.function ? words_text(w) : NULL;
        if (!frame.file)
                return -1;
        if (!frame.file[0])
                frame.file = NULL;
        frame.inlined = inlined;
        frame.runtime = runtime;
        return symbols_know_place(s, site, &frame) ? words_fail(w, "out of memory") : 1;
}

static int know_address(struct symbols *s, const char *key, uint64_t addr, const char *name)
{
        if (strcmp(key, "data") == 0)
                return symbols_know_data(s, addr, name);
        if (strcmp(key, "memory") == 0)
                return symbols_know_block(s, addr, name);
        return symbols_know_function(s, addr, name);
}

int filenames_read(struct words *w, const char *key, struct symbols *s)
{
        bool expression = strcmp(key, "expression") == 0;
        uint64_t addr, write = 0;

        if (strcmp(key, "place") == 0)
                return read_place(w, s);
        if (!expression && strcmp(key, "data") != 0 && strcmp(key, "memory") != 0 && strcmp(key, "function") != 0)
                return 0;
        if (words_u64(w, &addr) || (expression && words_number(w, 1, &write)))
                return -1;
        const char *name = words_text(w);
        if (!name)
                return -1;
        if (expression ? symbols_know_expression(s, addr, write, name) : know_address(s, key, addr, name))
                return words_fail(w, "out of memory");
        return 1;
}
