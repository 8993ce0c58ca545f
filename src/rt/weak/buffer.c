/* Store buffers: bytes in and out of memory.  No scheduling here, and no order between threads. */
#include "rt/weak/buffer.h"

static void copy(void *to, const void *from, uint32_t n)
{
        volatile uint8_t *t = to;
        const volatile uint8_t *f = from;

        if (n == 4 && !((uintptr_t)to & 3) && !((uintptr_t)from & 3)) {
                *(volatile uint32_t *)to = *(const volatile uint32_t *)from;
        } else if (n == 8 && !((uintptr_t)to & 7) && !((uintptr_t)from & 7)) {
                *(volatile uint64_t *)to = *(const volatile uint64_t *)from;
        } else {
                for (; n; n--)
                        *t++ = *f++;
        }
}

static void *memory(const struct buffer_store *s)
{
        return (void *)(uintptr_t)s->addr;
}

bool buffer_overlap(const struct buffer_store *s, uint64_t addr, uint32_t size)
{
        return s->addr < addr + size && addr < s->addr + s->size;
}

struct buffer_store *buffer_push(struct store_buffer *b, uint64_t addr, uint32_t size)
{
        struct buffer_store *s = &b->at[b->n++];

        s->addr = addr;
        s->size = size;
        s->serial = ++b->serial;
        s->behind = b->fence;
        copy(s->under, memory(s), size);
        b->open++;
        return s;
}

void buffer_settle(struct store_buffer *b)
{
        for (; b->open; b->open--) {
                struct buffer_store *s = &b->at[b->n - b->open];
                copy(s->now, memory(s), s->size);
        }
}

void buffer_take_out(struct store_buffer *b)
{
        for (uint32_t i = b->n; i-- > 0;) {
                copy(b->at[i].now, memory(&b->at[i]), b->at[i].size);
                copy(memory(&b->at[i]), b->at[i].under, b->at[i].size);
        }
}

void buffer_put_in(struct store_buffer *b)
{
        for (uint32_t i = 0; i < b->n; i++) {
                copy(b->at[i].under, memory(&b->at[i]), b->at[i].size);
                copy(memory(&b->at[i]), b->at[i].now, b->at[i].size);
        }
}

void buffer_drop(struct store_buffer *b, uint32_t i)
{
        for (b->n--; i < b->n; i++)
                b->at[i] = b->at[i + 1];
}

void buffer_drop_out(struct store_buffer *b, uint32_t i)
{
        copy(memory(&b->at[i]), b->at[i].now, b->at[i].size);
        buffer_drop(b, i);
}

bool buffer_stays_behind(const struct store_buffer *b, uint32_t i)
{
        const struct buffer_store *s = &b->at[i];

        for (uint32_t k = 0; k < i; k++)
                if (b->at[k].serial < s->behind || buffer_overlap(&b->at[k], s->addr, s->size))
                        return true;
        return false;
}

uint32_t buffer_newest(const struct store_buffer *b, uint32_t end, uint64_t addr, uint32_t size)
{
        while (end-- > 0)
                if (buffer_overlap(&b->at[end], addr, size))
                        return end;
        return UINT32_MAX;
}
