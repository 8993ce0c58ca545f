/*
 * accesses KIND DIRECTION: one thread accesses a shared object in the way KIND says, another one conflicts with its last
 * byte.  `seen` tells which came first.
 *
 *   write: A writes all bits of the object, B reads its last byte.     read: A reads the object, B fills its last byte.
 *
 * Without arguments the kinds are listed.
 */
#include <complex.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef __AVX2__
#include <immintrin.h>
#endif

typedef int int4 __attribute__((vector_size(16)));
typedef int int8 __attribute__((vector_size(32)));
typedef int int16 __attribute__((vector_size(64)));

struct bits24 { unsigned a : 12, b : 12; } __attribute__((packed));
struct bits40 { uint64_t a : 20, b : 20; } __attribute__((packed));
struct bits72 { uint64_t a : 40, b : 32; } __attribute__((packed));
struct bits4 { unsigned char a : 4, b : 4; };
struct s3 { char c[3]; };
struct s12 { int i[3]; };
struct s24 { long l[3]; };
struct s100 { char c[100]; };
struct packed4 { char c; uint32_t v; } __attribute__((packed));
struct packed8 { char c; uint64_t v; } __attribute__((packed));

static union {
        unsigned char bytes[256];
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        uint64_t u64;
        unsigned __int128 u128;
        bool flag;
        float f;
        double d;
        long double ld;
        float complex fc;
        double complex dc;
        long double complex ldc;
        void *pointer;
        int4 v4;
        int8 v8;
        int16 v16;
        struct bits24 bits24;
        struct bits40 bits40;
        struct bits72 bits72;
        struct bits4 bits4;
        unsigned _BitInt(17) i17;
        unsigned _BitInt(40) i40;
        unsigned _BitInt(100) i100;
        struct s3 s3;
        struct s12 s12;
        struct s24 s24;
        struct s100 s100;
        struct packed4 packed4;
        struct packed8 packed8;
        volatile uint32_t shy;
        _Atomic uint8_t a8;
        _Atomic uint16_t a16;
        _Atomic uint32_t a32;
        _Atomic uint64_t a64;
        _Atomic(void *) apointer;
} g __attribute__((aligned(64)));

int seen;

static struct s100 ones(void)
{
        struct s100 s;

        memset(&s, 1, sizeof s);
        return s;
}

static int last24(struct s24 s) { return s.l[2] != 0; }
static int last100(struct s100 s) { return s.c[99] != 0; }
static int variadic(int n, ...)
{
        va_list ap;
        struct s24 s;

        va_start(ap, n);
        s = va_arg(ap, struct s24);
        va_end(ap);
        return s.l[2] != 0;
}

/* name, size of what is accessed, how it is written, how it is read as a truth value of its last byte */
#define PLAIN(name, type, field, value) KIND(name, sizeof g.field, g.field = (type)value, g.field != (type)0)
#define STRUCT(name, field, last) KIND(name, sizeof g.field, { __typeof__(g.field) all; memset(&all, 1, sizeof all); g.field = all; }, ({ __typeof__(g.field) copy = g.field; copy.last != 0; }))
#define VECTOR(name, field, n) KIND(name, sizeof g.field, g.field = ~(g.field ^ g.field), ({ __typeof__(g.field) copy = g.field; copy[n - 1] != 0; }))
#define ATOMIC(name, type, field) KIND(name, sizeof g.field, g.field = (type)-1l, g.field != 0)
#define LANES(name, size, store, load) KIND(name, size, store, ({ __typeof__(load) copy = load; ((int *)&copy)[sizeof copy / 4 - 1] != 0; }))
#ifdef __AVX2__
#define ALL8 _mm256_set1_epi32(-1)
#define AVX2_KINDS                                                                                                \
        LANES(lanes_masked_16, 16, _mm_maskstore_epi32((int *)g.bytes, _mm_set1_epi32(-1), _mm_set1_epi32(-1)), _mm_maskload_epi32((int *)g.bytes, _mm_set1_epi32(-1))) \
        LANES(lanes_masked_32, 32, _mm256_maskstore_epi32((int *)g.bytes, ALL8, ALL8), _mm256_maskload_epi32((int *)g.bytes, ALL8)) \
        LANES(lanes_gathered, 32, g.bytes[31] = 1, _mm256_i32gather_epi32((int *)g.bytes, _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), 4))
#else
#define AVX2_KINDS
#endif
#ifdef __AVX512F__
#define ALL16   _mm512_set1_epi32(-1)
#define NUMBERS _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#define AVX512_KINDS                                                                                              \
        LANES(lanes_masked_64, 64, _mm512_mask_storeu_epi32(g.bytes, 0x8000, ALL16), _mm512_maskz_loadu_epi32(0x8000, g.bytes)) \
        LANES(lanes_scattered, 64, _mm512_i32scatter_epi32(g.bytes, NUMBERS, ALL16, 4), _mm512_i32gather_epi32(NUMBERS, g.bytes, 4)) \
        LANES(lanes_compressed, 64, _mm512_mask_compressstoreu_epi32(g.bytes, 0xffff, ALL16), _mm512_maskz_expandloadu_epi32(0xffff, g.bytes))
#else
#define AVX512_KINDS
#endif
#define KINDS                                                                                                     \
        AVX2_KINDS AVX512_KINDS                                                                                   \
        PLAIN(u8, uint8_t, u8, -1) PLAIN(u16, uint16_t, u16, -1) PLAIN(u32, uint32_t, u32, -1)                    \
        PLAIN(u64, uint64_t, u64, -1) PLAIN(u128, unsigned __int128, u128, -1) PLAIN(flag, bool, flag, 1)         \
        PLAIN(single, float, f, -1) PLAIN(dbl, double, d, -1) PLAIN(pointer, void *, pointer, -1l)                \
        PLAIN(shy, uint32_t, shy, -1)                                                                             \
        KIND(long_double, 10, g.ld = -1.5L, g.ld != 0)                                                            \
        KIND(complex_single, sizeof g.fc, g.fc = -1.0f - 1.0f * I, cimagf(g.fc) != 0)                             \
        KIND(complex_double, sizeof g.dc, g.dc = -1.0 - 1.0 * I, cimag(g.dc) != 0)                                \
        KIND(complex_long, 26, g.ldc = -1.0L - 1.0L * I, cimagl(g.ldc) != 0)                                      \
        VECTOR(vector_16, v4, 4) VECTOR(vector_32, v8, 8) VECTOR(vector_64, v16, 16)                              \
        KIND(bits_24, 3, g.bits24.b = 0xfff, g.bits24.b != 0) KIND(bits_40, 5, g.bits40.b = 0xfffff, g.bits40.b != 0) \
        KIND(bits_72, 9, g.bits72.b = 0xffffffff, g.bits72.b != 0) KIND(bits_4, 1, g.bits4.b = 15, g.bits4.b != 0) \
        KIND(bitint_17, 3, g.i17 = 0x1ffff, g.i17 != 0) KIND(bitint_40, 5, g.i40 = 0xffffffffff, g.i40 != 0) KIND(bitint_100, 13, g.i100 = ~g.i100, g.i100 != 0) \
        STRUCT(struct_3, s3, c[2]) STRUCT(struct_12, s12, i[2]) STRUCT(struct_24, s24, l[2]) STRUCT(struct_100, s100, c[99]) \
        KIND(packed_4, 5, g.packed4.v = -1, g.packed4.v != 0) KIND(packed_8, 9, g.packed8.v = -1, g.packed8.v != 0) \
        KIND(returned, sizeof g.s100, g.s100 = ones(), last100(g.s100))                                           \
        KIND(by_value, sizeof g.s24, g.u8++; g.bytes[23] = 1, last24(g.s24))                                      \
        KIND(variadic_value, sizeof g.s24, g.bytes[23]--, variadic(1, g.s24))                                     \
        KIND(increment, 4, g.u32 += 0x01010101u, g.u32 != 0)                                                      \
        KIND(incremented, 4, g.u32 += 0x01010101u, ({ uint32_t before = g.u32++; before != 0; }))                 \
        KIND(builtin_copy, 40, { unsigned char all[40]; memset(all, 1, 40); __builtin_memcpy(g.bytes, all, 40); }, ({ unsigned char copy[40]; __builtin_memcpy(copy, g.bytes, 40); copy[39] != 0; })) \
        KIND(builtin_set, 40, __builtin_memset(g.bytes, 1, 40), __builtin_memcmp(g.bytes, (char[40]){0}, 40) != 0) \
        ATOMIC(atomic_8, uint8_t, a8) ATOMIC(atomic_16, uint16_t, a16) ATOMIC(atomic_32, uint32_t, a32) ATOMIC(atomic_64, uint64_t, a64) ATOMIC(atomic_pointer, void *, apointer) \
        KIND(relaxed, 4, atomic_store_explicit(&g.a32, -1, memory_order_relaxed), atomic_load_explicit(&g.a32, memory_order_relaxed) != 0) \
        KIND(exchange, 8, atomic_exchange(&g.a64, -1), atomic_exchange(&g.a64, 0) != 0)                           \
        KIND(fetch_add, 4, atomic_fetch_add(&g.a32, 0xffffffffu), atomic_fetch_add(&g.a32, 0) != 0)               \
        KIND(fetch_or, 2, atomic_fetch_or(&g.a16, 0xffff), atomic_fetch_and(&g.a16, 0) != 0)                      \
        KIND(fetch_max, 4, __atomic_fetch_max(&g.u32, 0xffffffffu, 5), __atomic_fetch_max(&g.u32, 0, 5) != 0)     \
        KIND(swapped, 8, { uint64_t zero = 0; atomic_compare_exchange_strong(&g.a64, &zero, -1); }, ({ uint64_t zero = 0; !atomic_compare_exchange_strong(&g.a64, &zero, 0); }))

static const struct kind {
        const char *name;
        size_t size;
} kinds[] = {
#define KIND(name, size, write, read) {#name, size},
        KINDS
#undef KIND
};

enum {
#define KIND(name, size, write, read) KIND_##name,
        KINDS
#undef KIND
};

static int kind;

static void *writer(void *arg)
{
        switch (kind) {
#define KIND(name, size, write, read) case KIND_##name: write; break;
                KINDS
#undef KIND
        }
        return arg;
}

static void *reader(void *arg)
{
        switch (kind) {
#define KIND(name, size, write, read) case KIND_##name: seen = read; break;
                KINDS
#undef KIND
        }
        return arg;
}

static void *last_read(void *arg)
{
        seen = *(volatile unsigned char *)&g.bytes[kinds[kind].size - 1] != 0;
        return arg;
}

static void *last_written(void *arg)
{
        *(volatile unsigned char *)&g.bytes[kinds[kind].size - 1] = kind == KIND_flag ? 1 : 0xff;
        return arg;
}

int main(int argc, char **argv)
{
        pthread_t t, u;
        bool writes;

        if (argc < 3) {
                for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
                        puts(kinds[i].name);
                return 0;
        }
        while (strcmp(kinds[kind].name, argv[1]) != 0)
                if (++kind == sizeof kinds / sizeof *kinds)
                        return 2;
        writes = strcmp(argv[2], "write") == 0;
        pthread_create(&t, NULL, writes ? writer : reader, NULL);
        pthread_create(&u, NULL, writes ? last_read : last_written, NULL);
        pthread_join(t, NULL);
        pthread_join(u, NULL);
        return 0;
}
