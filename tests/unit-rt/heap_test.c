/* The heap of a target: causal addresses, deterministic contents, wrong frees.  Runs itself again as a target. */
#include <errno.h>
#include <malloc.h>
#include <string.h>
#include <unistd.h>

#include "rt/memory/heap.h"
#include "stub.h"

#define HEADER      sizeof(struct heap_block)
#define ARENA(slot) (UINT64_C(0x100000000000) + (uint64_t)(slot) * (UINT64_C(8) << 30))

static bool all_zero(const void *p, size_t n)
{
        const unsigned char *b = p;

        for (size_t i = 0; i < n; i++)
                if (b[i])
                        return false;
        return true;
}

/* Works as any malloc does, in and out of check. */
static void sizes_and_contents(void)
{
        static void *p[2000];
        static size_t n[2000];
        unsigned r = 1;

        for (int round = 0; round < 20000; round++) {
                r = r * 1103515245 + 12345;
                unsigned i = (r >> 8) % 2000, how = r >> 28;
                if (p[i]) {
                        unsigned char *b = p[i];
                        CHECK(!n[i] || (b[0] == (i & 255) && b[n[i] - 1] == (i & 255)));
                        CHECK(malloc_usable_size(p[i]) >= n[i]);
                }
                size_t want = (r >> 5) % (how < 12 ? 300 : 20000);
                if (p[i] && how % 3 == 0) {
                        free(p[i]);
                        p[i] = NULL;
                        continue;
                }
                if (p[i]) {
                        size_t common = n[i] < want + 1 ? n[i] : want + 1;
                        p[i] = realloc(p[i], want + 1);
                        for (size_t k = 0; k < common; k++)
                                CHECK(((unsigned char *)p[i])[k] == (i & 255));
                        want++;
                } else if (how % 4 == 1) {
                        size_t align = (size_t)16 << (how % 8);
                        CHECK(posix_memalign(&p[i], align, want) == 0 && (uintptr_t)p[i] % align == 0);
                } else if (how % 4 == 2) {
                        p[i] = calloc(want, 1);
                        CHECK(all_zero(p[i], want));
                } else {
                        p[i] = malloc(want);
                }
                CHECK(p[i] && (uintptr_t)p[i] % 16 == 0);
                n[i] = want;
                for (size_t k = 0; k < want; k++)
                        ((unsigned char *)p[i])[k] = i & 255;
        }
        for (int i = 0; i < 2000; i++)
                free(p[i]);
}

static void bad_requests(void)
{
        void *p = &p;
        volatile size_t huge = SIZE_MAX / 2;

        errno = 0;
        CHECK(!malloc(huge) && errno == ENOMEM);
        errno = 0;
        CHECK(!calloc(huge, 4) && errno == ENOMEM);
        CHECK(!reallocarray(NULL, huge, 4));
        errno = 0;
        CHECK(posix_memalign(&p, 24, 8) == EINVAL && posix_memalign(&p, 4096, huge) == ENOMEM && errno == 0 && p == &p);
        p = valloc(100);
        CHECK(p && (uintptr_t)p % 4096 == 0);
        free(p);
        p = malloc(0);
        CHECK(p);
        CHECK(!realloc(p, 0));
        free(NULL);
}

static void addresses_are_causal(void)
{
        char *a, *b, *c, *big;

        stub_run(5);
        a = malloc(40);
        CHECK((uintptr_t)a == ARENA(5) + HEADER);
        stub_run(6);
        b = malloc(40);
        CHECK((uintptr_t)b == ARENA(6) + HEADER);
        free(a); /* not its own: never used again */
        free(b);
        CHECK(malloc(33) == b); /* its own, same class */
        stub.shared = true;
        free(b);
        CHECK(malloc(33) != b); /* what others touch rests for a while */
        free(malloc(256 << 10));
        CHECK(malloc(33) == b);
        stub.shared = false;
        stub_run(5);
        c = malloc(40);
        CHECK(c > a);
        big = malloc(3 << 20);
        CHECK(all_zero(big, 3 << 20));
        memset(big, 1, 3 << 20);
        free(big);
        big = malloc(3 << 20);
        CHECK(all_zero(big, 3 << 20));
        CHECK(heap_block_size(big) == 3 << 20 && !heap_block_size(big + 16));
        stub_pause();
}

static size_t used;

static void sum(void *arg, void *start, size_t size)
{
        (void)arg;
        (void)start;
        used += size;
}

/* What snapshot.c does. */
static void restore_gives_the_same(void)
{
        static unsigned char saved[1 << 20];
        size_t n = heap_state_size();
        char *a, *b;

        CHECK(n <= sizeof saved);
        memcpy(saved, heap_state, n);
        used = 0;
        heap_each_used(sum, NULL);
        CHECK(used > 3 << 20);
        for (int round = 0; round < 3; round++) {
                stub_run(9);
                a = malloc(100);
                CHECK((uintptr_t)a == ARENA(9) + HEADER && all_zero(a, 112));
                memset(a, 7, 100);
                b = malloc(5000);
                CHECK(b == a + 112 + HEADER && all_zero(b, 5000));
                memset(b, 7, 5000);
                free(a);
                free(malloc(256 << 10));
                CHECK(malloc(112) == a && all_zero(a, 112));
                stub_pause();
                memcpy(heap_state, saved, n);
                CHECK(heap_state_size() == n);
        }
}

static void wrong_frees(void)
{
        char *p, *q, local[64];

        stub_run(3);
        p = malloc(10);
        free(p);
        CHECK(stub.n_seen == 1 && stub.seen[0].op == OP_FREE && stub.seen[0].addr == p && stub.seen[0].size == 10);
        CHECK(FAILS(free(p)) && stub.kind == WIRE_FAIL_DOUBLE_FREE);
        p = malloc(64);
        CHECK(FAILS(free(p + 16)) && stub.kind == WIRE_FAIL_INVALID_FREE);
        CHECK(FAILS(free(local)) && FAILS(free((void *)16)) && FAILS(free((void *)(ARENA(3) + (1 << 19)))));
        CHECK(FAILS(p = realloc(local, 5)));
        q = memalign(256, 20);
        CHECK((uintptr_t)q % 256 == 0);
        CHECK(!FAILS(free(q)) && FAILS(free(q)));
        free(malloc(256 << 10));
        CHECK(memalign(256, 20) == q);
        stub_pause();
        free(local); /* outside an execution: let be */
}

static void *moved;

static void free_moved(void)
{
        stub_pause();
        free(moved);
        stub_run(2);
}

/* Another thread frees the block while this one waits for its turn to free it. */
static void free_while_waiting(void)
{
        stub_run(2);
        moved = malloc(10);
        stub.meanwhile = free_moved;
        CHECK(FAILS(free(moved)));
        stub_pause();
}

static uint32_t n_blocks, n_live;

static void count(void *arg, struct heap_block *b)
{
        (void)arg;
        n_blocks++;
        n_live += heap_block_live(b);
}

/* Every address belongs to a block, or to none. */
static void blocks_are_found(void)
{
        uint64_t before;
        char *p[100];

        stub_run(11);
        for (int i = 0; i < 100; i++)
                p[i] = i % 7 ? malloc((size_t)i * 37) : memalign((size_t)64 << i % 3, (size_t)i * 11);
        for (int i = 0; i < 100; i++) {
                struct heap_block *b = (struct heap_block *)p[i] - 1;
                CHECK(heap_find((uintptr_t)p[i]) == b && heap_find((uintptr_t)p[i] - 1) == b && heap_block_live(b));
                CHECK(heap_find((uintptr_t)p[i] + b->size) == b || b->size % 16 == 0);
                CHECK(!b->size || heap_find((uintptr_t)p[i] + b->size - 1) == b);
        }
        CHECK(!heap_find(ARENA(11) + (1 << 19)) && !heap_find(ARENA(900)) && !heap_has((uintptr_t)&before));
        for (int i = 0; i < 100; i += 2)
                free(p[i]);
        CHECK(heap_block_freed((struct heap_block *)p[2] - 1) && ((struct heap_block *)p[2] - 1)->freed_by == 11);
        n_blocks = n_live = 0;
        stub_pause();
        heap_each_block(count, NULL);
        before = n_live;
        CHECK(n_blocks >= 100 && n_live >= 50);
        for (int i = 1; i < 100; i += 2)
                free(p[i]);
        n_live = 0;
        heap_each_block(count, NULL);
        CHECK(n_live == before - 50);
}

static void realloc_events(void)
{
        char *p, *q;

        stub_run(4);
        p = malloc(20);
        stub_run(4);
        CHECK(realloc(p, 30) == p);
        CHECK(stub.n_seen == 1 && stub.seen[0].op == OP_WRITE && stub.seen[0].size == 20);
        stub_run(4);
        q = realloc(p, 3000);
        CHECK(q != p && stub.n_seen == 1 && stub.seen[0].op == OP_FREE && stub.seen[0].size == 30);
        free(malloc(256 << 10));
        CHECK(malloc(30) == p);
        stub_pause();
}

int main(int argc, char **argv)
{
        char self[] = "/proc/self/exe", *arg[] = {argv[0], "target", NULL}, *env[] = {WIRE_ENV "=3,4", NULL};

        CHECK(heap_is_target() == (argc > 1));
        sizes_and_contents();
        bad_requests();
        if (argc == 1) {
                execve(self, arg, env);
                return 1;
        }
        CHECK(((uintptr_t)malloc(1) & ~(UINT64_C(0xffffffff))) == ARENA(0));
        addresses_are_causal();
        restore_gives_the_same();
        wrong_frees();
        free_while_waiting();
        realloc_events();
        blocks_are_found();
        return 0;
}
