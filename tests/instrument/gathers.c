/* Gathers of AVX2, and what AVX-512 has: each lane has what the machine would load, and each lane that is loaded is a read. */
#include <assert.h>
#include <immintrin.h>
#include <pthread.h>
#include <string.h>

static int table[64];
static long long longs[32];
static int last;

static void expect(const void *got, const void *wanted, size_t size)
{
        assert(memcmp(got, wanted, size) == 0);
}
#define EXPECT(type, vector, ...)                                \
        do {                                                     \
                __typeof__(vector) got = (vector);               \
                expect(&got, (type[]){__VA_ARGS__}, sizeof got); \
        } while (0)

static void values(void)
{
        __m128i four = _mm_setr_epi32(3, 1, 4, 1), two = _mm_set_epi64x(7, 5);
        __m256i eight = _mm256_setr_epi32(3, -1, 4, 1, 5, 9, 2, 6), quad = _mm256_setr_epi64x(5, -3, 2, 1);
        __m128i some = _mm_setr_epi32(-1, 0, -1, -1);

        EXPECT(int, _mm256_i32gather_epi32(table + 1, eight, 4), 4, 0, 5, 2, 6, 10, 3, 7);
        EXPECT(long long, _mm_i32gather_epi64(longs, four, 8), 3, 1);
        EXPECT(int, _mm_i64gather_epi32(table, two, 4), 5, 7, 0, 0);
        EXPECT(int, _mm256_i64gather_epi32(table + 8, quad, 4), 13, 5, 10, 9);
        EXPECT(int, _mm_mask_i64gather_epi32(_mm_set1_epi32(99), table, two, some, 4), 5, 99, 0, 0);
        EXPECT(long long, _mm256_mask_i32gather_epi64(_mm256_set1_epi64x(99), longs, four, _mm256_setr_epi64x(0, -1, -1, 0), 8),
               99, 1, 4, 99);
}

#ifdef __AVX512F__
/* Lanes 1, 3, 8 and 15 of sixteen. */
static void wide(void)
{
        int to[64] = {0};
        __mmask16 some = 1 << 1 | 1 << 3 | 1 << 8 | 1 << 15;
        __m512i numbers = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), got;

        _mm512_mask_compressstoreu_epi32(to, some, numbers);
        expect(to, (int[]){1, 3, 8, 15, 0, 0}, 24);
        got = _mm512_mask_expandloadu_epi32(_mm512_set1_epi32(99), some, table + 20);
        expect(&got, (int[]){99, 20, 99, 21, 99, 99, 99, 99, 22, 99, 99, 99, 99, 99, 99, 23}, 64);
        got = _mm512_mask_i32gather_epi32(_mm512_set1_epi32(99), some, numbers, table + 2, 8);
        expect(&got, (int[]){99, 4, 99, 8, 99, 99, 99, 99, 18, 99, 99, 99, 99, 99, 99, 32}, 64);
        _mm512_mask_i32scatter_epi32(to, some, numbers, _mm512_set1_epi32(7), 8);
        expect(to, (int[]){1, 3, 7, 15, 0, 0, 7, 0}, 32);
        assert(to[16] == 7 && to[30] == 7 && to[28] == 0);
}
#else
static void wide(void) {}
#endif

static void *writer(void *arg)
{
        table[63] = 1;
        return arg;
}

static void *reader(void *arg)
{
        __m128i got = _mm_i32gather_epi32(table, _mm_setr_epi32(0, 1, 2, 63), 4);

        last = _mm_extract_epi32(got, 3);
        return arg;
}

int main(void)
{
        pthread_t t, u;

        for (int i = 0; i < 64; i++)
                table[i] = i < 63 ? i : 0;
        for (int i = 0; i < 32; i++)
                longs[i] = i;
        values();
        wide();
        pthread_create(&t, NULL, writer, NULL);
        pthread_create(&u, NULL, reader, NULL);
        pthread_join(t, NULL);
        pthread_join(u, NULL);
        assert(last == WANTED);
        return 0;
}
