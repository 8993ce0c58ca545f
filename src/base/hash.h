/*
 * Hashes.  None of them is cryptographic.  Keys of failures, fingerprints of programs and stored tables depend on the values:
 * a change of a constant is a change of their formats.
 */
#ifndef HEDDLE_BASE_HASH_H
#define HEDDLE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_GOLDEN    UINT64_C(0x9e3779b97f4a7c15) /* 2^64 divided by the golden ratio, odd */
#define HASH_FNV_START UINT64_C(0xcbf29ce484222325)

/* h with one more word. */
static inline uint64_t hash_mix(uint64_t h, uint64_t v)
{
        h = (h ^ v) * HASH_GOLDEN;
        return h ^ h >> 29;
}

/* FNV-1a: h with these bytes. */
static inline uint64_t hash_bytes(uint64_t h, const void *data, size_t n)
{
        const unsigned char *p = (const unsigned char *)data;

        for (size_t i = 0; i < n; i++)
                h = (h ^ p[i]) * UINT64_C(0x100000001b3);
        return h;
}

/* The output function of splitmix64: neighbouring numbers give unrelated ones. */
static inline uint64_t hash_scatter(uint64_t x)
{
        x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
        return x ^ x >> 31;
}

/* The number that splitmix64 draws in this state. */
static inline uint64_t hash_draw(uint64_t state)
{
        return hash_scatter(state + HASH_GOLDEN);
}

/* The slot of a key in a table of 2^bits slots; bits > 0. */
static inline uint64_t hash_slot(uint64_t key, uint32_t bits)
{
        return key * HASH_GOLDEN >> (64 - bits);
}

#endif
