/* Failures of the heap in words. */
#include "trace/heap.h"

#include <inttypes.h>
#include <string.h>

#include "op/op.h"

/* " by T1 at file.c:12", as far as it is known. */
static void say_place(struct strbuf *b, uint32_t actor, const uint64_t *sites, uint32_t n_sites, struct symbols *s)
{
        strbuf_printf(b, " by T%u", actor);
        for (uint32_t i = 0; s && i < n_sites; i++) {
                const struct symbols_frame *frames;
                uint32_t n = symbols_frames(s, sites[i], &frames);

                for (uint32_t k = 0; k < n; k++) {
                        const char *base = frames[k].file ? strrchr(frames[k].file, '/') : NULL;
                        if (!frames[k].line || frames[k].runtime)
                                continue;
                        strbuf_printf(b, " at %s:%u", base ? base + 1 : frames[k].file, frames[k].line);
                        return;
                }
        }
}

static void say_bytes(struct strbuf *b, uint64_t n)
{
        strbuf_printf(b, "%" PRIu64 " byte%s", n, n == 1 ? "" : "s");
}

/* Where the address lies, seen from the block. */
static void say_offset(struct strbuf *b, const struct wire_failure *f)
{
        const struct wire_block *k = &f->block;

        if (f->addr < k->start) {
                say_bytes(b, k->start - f->addr);
                strbuf_puts(b, " before");
        } else if (f->addr >= k->start + k->size) {
                if (f->addr > k->start + k->size) {
                        say_bytes(b, f->addr - k->start - k->size);
                        strbuf_puts(b, " behind the end of");
                } else {
                        strbuf_puts(b, "right behind the end of");
                }
        } else {
                if (f->addr > k->start) {
                        say_bytes(b, f->addr - k->start);
                        strbuf_puts(b, " into");
                } else {
                        strbuf_puts(b, "at the start of");
                }
        }
        strbuf_puts(b, " a block of ");
        say_bytes(b, k->size);
}

static void say_history(struct strbuf *b, const struct wire_block *k, struct symbols *s)
{
        if (!k->n_allocated)
                return;
        if (k->n_freed) {
                strbuf_puts(b, ", freed");
                say_place(b, k->freed_by, k->freed, k->n_freed, s);
        }
        strbuf_puts(b, ", allocated");
        say_place(b, k->actor, k->allocated, k->n_allocated, s);
}

static void say_access(struct strbuf *b, const struct wire_failure *f)
{
        if (op_object(f->signal) != OP_OBJ_MEMORY) {
                strbuf_printf(b, "%s", op_name(f->signal));
                return;
        }
        strbuf_printf(b, "%s of ", op_name(f->signal));
        say_bytes(b, f->status);
}

void finding_say_heap(struct strbuf *b, const struct wire_failure *f, struct symbols *s)
{
        const struct wire_block *k = &f->block;
        bool known = k->n_allocated > 0;

        switch (f->kind) {
        case WIRE_FAIL_LEAK:
                say_bytes(b, f->status);
                strbuf_printf(b, " that nothing points to at the end%s%s", f->text[0] ? ", " : "", f->text);
                break;
        case WIRE_FAIL_DOUBLE_FREE:
                strbuf_puts(b, "a block of ");
                say_bytes(b, k->size);
                break;
        case WIRE_FAIL_INVALID_FREE:
                if (f->text[0]) {
                        strbuf_puts(b, f->text);
                        break;
                }
                strbuf_printf(b, "%s of ", f->signal == OP_FREE ? "free" : "realloc");
                if (known)
                        strbuf_puts(b, "an address that malloc did not return, ");
                else
                        strbuf_printf(b, "0x%" PRIx64 ", which is not a heap block", f->addr);
                if (known)
                        say_offset(b, f);
                break;
        default:
                say_access(b, f);
                strbuf_puts(b, " ");
                if (f->text[0])
                        strbuf_puts(b, f->text);
                else if (known)
                        say_offset(b, f);
                else
                        strbuf_printf(b, "at 0x%" PRIx64 ", behind all blocks", f->addr);
        }
        say_history(b, k, s);
}

static void put_sites(FILE *f, const uint64_t *sites, uint32_t n)
{
        fprintf(f, " %x", n);
        for (uint32_t i = 0; i < n; i++)
                fprintf(f, " %" PRIx64, sites[i]);
}

void heap_put_block(FILE *f, const struct wire_block *k)
{
        fprintf(f, " %" PRIx64 " %" PRIx64 " %x %x", k->start, k->size, k->actor, k->freed_by);
        put_sites(f, k->allocated, k->n_allocated);
        put_sites(f, k->freed, k->n_freed);
        fputc('\n', f);
}

static int get_sites(struct words *w, uint64_t *sites, uint32_t *n)
{
        uint64_t count;

        if (words_number(w, WIRE_BLOCK_STACK, &count))
                return -1;
        for (uint32_t i = 0; i < count; i++)
                if (words_u64(w, &sites[i]))
                        return -1;
        *n = (uint32_t)count;
        return 0;
}

int heap_get_block(struct words *w, struct wire_block *k)
{
        if (words_u64(w, &k->start) || words_u64(w, &k->size) || words_u32(w, &k->actor) ||
            words_u32(w, &k->freed_by) || get_sites(w, k->allocated, &k->n_allocated) ||
            get_sites(w, k->freed, &k->n_freed))
                return -1;
        return 0;
}
