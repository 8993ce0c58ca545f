/* Loads under weak memory, byte by byte: the newest store in the buffer that has it, else memory. */
#include "rt/weak/load.h"

#include "rt/threads.h"
#include "rt/util.h"
#include "rt/weak/above.h"
#include "rt/weak/buffer.h"
#include "rt/weak/weak.h"

#define LOAD_BITS 64u /* bytes of a load that are distinguished; of larger ones all count as read from memory too */

uint32_t weak_read_mode(const struct thread *t, uintptr_t addr, uint32_t size)
{
        const struct store_buffer *m = weak_buffer(t);

        return size <= LOAD_BITS && buffer_newest(m, m->n, addr, size) != UINT32_MAX ? WIRE_MODE_NONE : WIRE_MODE_READ;
}

/* Entries for the bytes of a load that are in the mask. */
static void log_bytes(struct thread *t, uintptr_t addr, uint64_t mask, uint32_t mode, uint64_t value)
{
        while (mask) {
                uint32_t from = (uint32_t)__builtin_ctzll(mask);
                uint64_t rest = ~(mask >> from);
                uint32_t n = rest ? (uint32_t)__builtin_ctzll(rest) : LOAD_BITS;

                mm_above->also(t, ARRIVE_INNER, OP_FORWARD, addr + from, n, mode, value);
                mask = from + n < LOAD_BITS ? mask >> (from + n) << (from + n) : 0;
        }
}

static uint64_t mask_of(uint64_t from, uint64_t to)
{
        return (to - from >= LOAD_BITS ? ~UINT64_C(0) : (UINT64_C(1) << (to - from)) - 1) << from;
}

void weak_forward(struct thread *t, uintptr_t addr, uint32_t size)
{
        const struct store_buffer *m = weak_buffer(t);
        uint64_t left = size <= LOAD_BITS ? mask_of(0, size) : 0;
        bool any = false;

        for (uint32_t i = buffer_newest(m, m->n, addr, size); i != UINT32_MAX; i = buffer_newest(m, i, addr, size)) {
                const struct buffer_store *s = &m->at[i];
                uint64_t lo = s->addr > addr ? s->addr : addr;
                uint64_t hi = s->addr + s->size < addr + size ? s->addr + s->size : addr + size;
                uint64_t mask = size <= LOAD_BITS ? mask_of(lo - addr, hi - addr) & left : mask_of(0, hi - lo);

                any = true;
                left &= ~mask;
                log_bytes(t, size <= LOAD_BITS ? addr : lo, mask, WIRE_MODE_FORWARD, WIRE_FORWARD(s->actor, s->number));
        }
        if (any)
                log_bytes(t, addr, left, WIRE_MODE_READ, 0);
}

bool weak_covers(const struct thread *t, uintptr_t addr, size_t size)
{
        const struct store_buffer *m = weak_buffer(t);

        for (size_t i = 0; i < size; i++)
                if (buffer_newest(m, m->n, addr + i, 1) == UINT32_MAX)
                        return false;
        return true;
}

uint64_t weak_view(const struct thread *t, uintptr_t addr, uint32_t size)
{
        const struct store_buffer *m = weak_buffer(t);
        uint8_t bytes[8] = {0};
        uint64_t v;

        weak_uncover();
        rt_copy(bytes, (const void *)addr, size);
        weak_cover();
        for (uint32_t i = 0; i < m->n; i++)
                for (uint32_t k = 0; k < size && buffer_overlap(&m->at[i], addr, size); k++)
                        if (addr + k - m->at[i].addr < m->at[i].size)
                                bytes[k] = m->at[i].now[addr + k - m->at[i].addr];
        __builtin_memcpy(&v, bytes, sizeof v);
        return v;
}

uint32_t weak_serial(const struct thread *t)
{
        return weak_buffer(t)->serial;
}

uint32_t weak_forwards(const struct thread *t, uintptr_t addr, uint32_t size)
{
        const struct store_buffer *m = weak_buffer(t);
        uint32_t i = buffer_newest(m, m->n, addr, size);

        return i == UINT32_MAX ? 0 : m->at[i].serial;
}

bool weak_is_delayed(const struct thread *t, uintptr_t addr, uint32_t size)
{
        const struct store_buffer *m = weak_buffer(t);
        uint32_t i = buffer_newest(m, m->n, addr, size);

        return i != UINT32_MAX && i >= m->n - m->open && !m->at[i].ignored;
}
