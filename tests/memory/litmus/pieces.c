/* A packed struct with bit-fields, copied whole, and words that overlap at odd addresses; announced by a flag. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#ifndef RELEASE
#define RELEASE memory_order_release
#endif

struct __attribute__((packed)) record {
        char c;
        int i;
        short h;
        long l;
        unsigned a : 3, b : 5, d : 12;
};
static struct record from = {1, 2, 3, 4, 5, 6, 7}, to;
static union {
        char bytes[16];
        uint64_t words[2];
} area;
static atomic_int ready;

static void *writer(void *arg)
{
        uint32_t odd = 0xaabbccddu;

        memcpy(&to, &from, sizeof to);
        to.b = 9;
        area.words[0] = 0x0102030405060708u;
        memcpy(area.bytes + 6, &odd, 4);
        area.bytes[7] = 0x11;
        atomic_store_explicit(&ready, 1, RELEASE);
        return arg;
}

static void *reader(void *arg)
{
        uint32_t odd;

        if (!atomic_load_explicit(&ready, memory_order_acquire))
                return arg;
        struct record r = to;
        assert(r.c == 1 && r.i == 2 && r.h == 3 && r.l == 4 && r.a == 5 && r.b == 9 && r.d == 7);
        memcpy(&odd, area.bytes + 6, 4);
        assert(odd == 0xaabb11ddu && area.words[0] >> 48 == 0x11dd);
        return arg;
}

int main(void)
{
        pthread_t t[2];

        pthread_create(&t[0], NULL, writer, NULL);
        pthread_create(&t[1], NULL, reader, NULL);
        pthread_join(t[0], NULL);
        pthread_join(t[1], NULL);
        return 0;
}
