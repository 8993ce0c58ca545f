/* Memory that is put back is what was copied, whatever was written to it, and nothing beside it changes. */
#include "rt/sparse.h"

#include <string.h>

#include "stub.h"

#define MOST  16384
#define GUARD 64

static unsigned state = 7;

static unsigned draw(void)
{
        state = state * 1103515245 + 12345;
        return state >> 16;
}

/* Stretches of zeroes and of data, some of them a word long. */
static void fill(unsigned char *p, size_t n)
{
        for (size_t at = 0; at < n;) {
                size_t length = draw() % 3 ? draw() % 900 : draw() % 40;
                bool zero = draw() % 2;

                for (; length-- && at < n; at++)
                        p[at] = zero ? 0 : (unsigned char)draw();
        }
}

int main(void)
{
        static unsigned char copy[MOST], memory[MOST + 2 * GUARD];
        unsigned char *p = &memory[GUARD];
        uint32_t most = 0;

        for (int round = 0; round < 2000; round++) {
                size_t n = draw() % (draw() % 2 ? MOST : 300), from = draw() % 16, end = from + n > MOST ? MOST : from + n;
                struct sparse s;
                size_t sum = 0;

                fill(copy, MOST);
                sparse_init(&s, &copy[from], end - from);
                for (uint32_t i = 0; i < s.n; i++)
                        sum += s.runs[i].data + s.runs[i].zero;
                CHECK(s.n <= SPARSE_RUNS && sum == end - from);
                most = s.n > most ? s.n : most;
                memset(memory, 0xaa, sizeof memory);
                if (round % 2) {
                        memcpy(p, &copy[from], end - from); /* a byte of it alone is written */
                        p[end > from ? draw() % (end - from) : 0] ^= 1;
                }
                p[end - from] = 0xaa;
                sparse_put(&s, p);
                CHECK(memcmp(p, &copy[from], end - from) == 0);
                for (int i = 0; i < GUARD; i++)
                        CHECK(memory[i] == 0xaa && p[end - from + (size_t)i] == 0xaa);
        }
        CHECK(most == SPARSE_RUNS);
        return 0;
}
