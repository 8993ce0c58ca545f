/* See write.h. */
#include "write.h"

#include <stdarg.h>

struct program *p;
uint32_t thread;

static FILE *out;
static uint32_t *line;
static uint64_t state;

uint32_t below(uint32_t n)
{
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
        return (uint32_t)(state >> 33) % n;
}

uint32_t peek(void)
{
        return (uint32_t)(state >> 40 & 3);
}

void text(const char *format, ...)
{
        va_list args;

        va_start(args, format);
        vfprintf(out, format, args);
        va_end(args);
        fputc('\n', out);
        ++*line;
}

uint32_t lines_so_far(void)
{
        return *line;
}

uint32_t here(void)
{
        return p->n[thread];
}

uint32_t add(uint32_t op, uint32_t to, uint32_t var, uint32_t value, uint32_t more)
{
        uint32_t i = p->n[thread]++;

        p->code[thread][i] = (struct code){(uint8_t)op, (uint8_t)to, (uint8_t)var, (uint8_t)value, (uint8_t)more, 0};
        return i;
}

void jump(uint32_t op, uint32_t reg, uint32_t value, uint32_t target)
{
        p->code[thread][add(op, reg, 0, value, 0)].target = (uint8_t)target;
}

uint32_t jump_on(uint32_t op, uint32_t reg, uint32_t value)
{
        return add(op, reg, 0, value, 0);
}

void lands(uint32_t i)
{
        p->code[thread][i].target = (uint8_t)here();
}

void store_text(uint32_t x, const char *what)
{
        text(memory == SC ? "        v%u = %s;" : "        atomic_store_explicit(&v%u, %s, memory_order_relaxed);", x,
             what);
}

void write_begin(struct program *to, uint64_t seed, FILE *file, uint32_t *count)
{
        p = to;
        out = file;
        line = count;
        *p = (struct program){.n_threads = 2};
        state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
        for (int i = 0; i < 8; i++)
                below(2);
}
