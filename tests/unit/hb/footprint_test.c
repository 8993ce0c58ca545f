/* Footprints: short or long, what conflicts with them stays the same, and is found. */
#include "hb/footprint.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 1;

static uint32_t below(uint32_t n)
{
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
        return (uint32_t)(state >> 33) % n;
}

/* Plain accesses in a small space, so that many touch and overlap, and some others between them. */
static uint32_t make(struct wire_access *a, uint32_t most, uint32_t space)
{
        static const uint8_t ops[] = {OP_READ, OP_WRITE, OP_LOAD, OP_RMW, OP_SEM_POST, OP_MUTEX_LOCK};
        uint32_t n = 1 + below(most);

        for (uint32_t i = 0; i < n; i++) {
                uint8_t op = ops[below(below(4) ? 2 : 6)];

                a[i] = (struct wire_access){.obj = 64 + below(space), .size = 1 + below(8), .op = op};
                a[i].mode = op == OP_READ || op == OP_LOAD ? WIRE_MODE_READ : WIRE_MODE_WRITE;
        }
        return n;
}

static bool overlap(void *arg, const struct wire_access *a, const struct wire_access *b)
{
        ++*(uint64_t *)arg;
        return op_overlap(a, b);
}

static bool brute(const struct wire_access *a, uint32_t n, const struct wire_access *b, uint32_t m)
{
        for (uint32_t i = 0; i < n; i++)
                for (uint32_t k = 0; k < m; k++)
                        if (op_overlap(&a[i], &b[k]))
                                return true;
        return false;
}

static void same_conflicts(uint32_t most, uint32_t space)
{
        struct wire_access a[200], b[200], c[200];
        uint64_t asked = 0;

        for (int round = 0; round < 3000; round++) {
                uint32_t n = make(a, most, space), m = make(b, most, space), k;
                bool meet = brute(a, n, b, m);

                memcpy(c, a, n * sizeof *c);
                k = footprint_compact(c, n);
                assert(k <= n && (n == 1 || k > 1) && !memcmp(&c[0], &a[0], sizeof c[0]));
                assert(brute(c, k, b, m) == meet);
                assert(footprint_pairs(c, k, b, m, overlap, &asked) == meet);
                assert(footprint_pairs(a, n, b, m, overlap, &asked) == meet);
                assert(footprint_pairs(b, m, c, k, overlap, &asked) == meet);
        }
}

/* Every second word of 20,000, read and written: few are asked about. */
static void not_quadratic(void)
{
        enum { N = 20000 };
        struct wire_access *a = calloc(2 * N, sizeof *a), *b = calloc(2 * N, sizeof *b);
        uint64_t asked = 0;
        uint32_t n, m;

        for (uint32_t i = 0; i < 2 * N; i++) {
                a[i] = (struct wire_access){.obj = 4096 + 16 * (i / 2), .size = 4, .op = i % 2 ? OP_WRITE : OP_READ};
                a[i].mode = i % 2 ? WIRE_MODE_WRITE : WIRE_MODE_READ;
                b[i] = a[i];
                b[i].obj += 8;
        }
        n = footprint_compact(a, 2 * N);
        m = footprint_compact(b, 2 * N);
        assert(!footprint_pairs(a, n, b, m, overlap, &asked) && asked < 10 * N);
        free(a);
        free(b);
}

/* An array, whatever the order, is one access more than its first. */
static void neighbours_are_one(void)
{
        struct wire_access a[100];

        for (uint32_t i = 0; i < 100; i++)
                a[i] = (struct wire_access){
                        .obj = 4096 + 4 * (i * 37 % 100), .size = 4, .op = OP_WRITE, .mode = WIRE_MODE_WRITE};
        assert(footprint_compact(a, 100) <= 3);
}

int main(void)
{
        same_conflicts(200, 400);
        same_conflicts(200, 20000);
        same_conflicts(40, 4000);
        not_quadratic();
        neighbours_are_one();
        puts("footprint: ok");
        return 0;
}
