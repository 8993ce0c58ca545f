/* The mem*, str* and wcs* functions: they do what libc's do, and touch exactly what they must, a word at a time. */
#include <dlfcn.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

#include "rt/copy/range.h"
#include "rt/real.h"
#include "stub.h"

char *__strcpy_chk(char *dst, const char *src, size_t room);
void *__memset_chk(void *dst, int c, size_t n, size_t room);

/* libc's own, which ours precede. */
#define LIBC(name) ((__typeof__(&name))rt_real(#name))

static bool saw(unsigned i, uint32_t op, const void *addr, size_t size)
{
        return i < stub.n_seen && stub.seen[i].op == op && stub.seen[i].addr == addr && stub.seen[i].size == size;
}

static int sign(int v)
{
        return (v > 0) - (v < 0);
}

/* Short strings over three letters: every case of length and difference comes up.  At once, or step by step. */
static void same_as_libc(bool steps)
{
        char a[12], b[12], x[40], y[40];
        unsigned r = 7;

        for (int round = 0; round < 20000; round++) {
                stub_pause();
                for (int i = 0; i < 12; i++) {
                        r = r * 1103515245 + 12345;
                        a[i] = "abAB\0aa\200"[(r >> 16) & 7];
                        b[i] = "abAB\0aa\200"[(r >> 20) & 7];
                }
                a[11] = b[(r >> 12) % 12] = b[11] = 0;
                size_t n = (r >> 10) % 12;
                if (steps)
                        stub_run(1);
                CHECK(strlen(a) == LIBC(strlen)(a) && strnlen(a, n) == LIBC(strnlen)(a, n));
                CHECK(sign(strcmp(a, b)) == sign(LIBC(strcmp)(a, b)));
                CHECK(sign(strncmp(a, b, n)) == sign(LIBC(strncmp)(a, b, n)));
                CHECK(sign(strcasecmp(a, b)) == sign(LIBC(strcasecmp)(a, b)));
                CHECK(sign(strncasecmp(a, b, n)) == sign(LIBC(strncasecmp)(a, b, n)));
                CHECK(sign(memcmp(a, b, n)) == sign(LIBC(memcmp)(a, b, n)));
                CHECK(memchr(a, 'b', n) == LIBC(memchr)(a, 'b', n) && memrchr(a, 'b', n) == LIBC(memrchr)(a, 'b', n));
                CHECK(strchr(a, 'b') == LIBC(strchr)(a, 'b') && strchr(a, 0) == LIBC(strchr)(a, 0));
                CHECK(strrchr(a, 'a') == LIBC(strrchr)(a, 'a') && strchrnul(a, 'B') == LIBC(strchrnul)(a, 'B'));
                CHECK(strstr(a, b) == LIBC(strstr)(a, b) && strpbrk(a, b) == LIBC(strpbrk)(a, b));
                CHECK(strspn(a, b) == LIBC(strspn)(a, b) && strcspn(a, b) == LIBC(strcspn)(a, b));
                memset(x, '#', sizeof x);
                LIBC(memset)(y, '#', sizeof y);
                CHECK(strcpy(x, a) == x && stpcpy(x + 20, b) == x + 20 + strlen(b));
                LIBC(strcpy)(y, a), LIBC(stpcpy)(y + 20, b);
                CHECK(!LIBC(memcmp)(x, y, sizeof x));
                CHECK(strcat(x, b) == x && strncat(x, b, n % 6) == x);
                LIBC(strcat)(y, b), LIBC(strncat)(y, b, n % 6);
                CHECK(!LIBC(memcmp)(x, y, sizeof x));
                CHECK(stpncpy(x, b, n) - x == LIBC(stpncpy)(y, b, n) - y && strncpy(x + 1, a, n) == x + 1);
                LIBC(strncpy)(y + 1, a, n);
                CHECK(!LIBC(memcmp)(x, y, sizeof x));
        }
}

static void moves_of_all_sizes(bool steps)
{
        static unsigned char x[1000], y[1000];

        for (size_t n = 0; n < 300; n += steps ? 7 : 1)
                for (size_t shift = 0; shift < 40; shift++) {
                        for (size_t i = 0; i < sizeof x; i++)
                                x[i] = y[i] = (unsigned char)(i * 7);
                        if (steps)
                                stub_run(1);
                        memmove(x + 200 + shift, x + 220, n);
                        memset(x + 600 + shift, 5, n);
                        CHECK(mempcpy(x + shift % 8, x + 500, n) == x + shift % 8 + n);
                        LIBC(memmove)(y + 200 + shift, y + 220, n);
                        LIBC(memset)(y + 600 + shift, 5, n);
                        LIBC(memcpy)(y + shift % 8, y + 500, n);
                        stub_pause();
                        CHECK(!LIBC(memcmp)(x, y, sizeof x));
                }
}

/* A range is cut into naturally aligned words, the same ones upwards and downwards. */
static void words(void)
{
        static unsigned char x[64] __attribute__((aligned(8)));
        uintptr_t base = (uintptr_t)x;

        for (size_t from = 0; from < 16; from++)
                for (size_t n = 1; n < 40; n++) {
                        uint32_t up[16], k = 0;

                        for (size_t at = 0; at < n; at += up[k++]) {
                                up[k] = range_word(base + from + at, n - at);
                                CHECK(at + up[k] <= n && (base + from + at) % up[k] == 0 && !(up[k] & (up[k] - 1)));
                        }
                        CHECK(range_words(x + from, n) == k);
                        for (size_t reach = 1, at = up[0], i = 1; reach <= n; reach++) {
                                if (reach > at)
                                        at += up[i++];
                                CHECK(range_reach(x + from, n, reach) == i);
                        }
                        for (size_t left = n; left; left -= up[k])
                                CHECK(range_last_word(base + from, left) == up[--k]);
                }
}

static void footprints(void)
{
        static char a[32] __attribute__((aligned(8))) = "hello", b[32] __attribute__((aligned(8))) = "help",
                          c[32] __attribute__((aligned(8)));
        char *p;

        stub_run(1);
        memcpy(c, a, 6); /* each word is written as soon as it is read */
        CHECK(stub.n_seen == 4 && saw(0, OP_READ, a, 4) && saw(1, OP_WRITE, c, 4) && saw(2, OP_READ, a + 4, 2) &&
              saw(3, OP_WRITE, c + 4, 2) && stub.n_transitions == stub.n_foreseen);
        stub_run(1);
        memcpy(c, a + 4, 16); /* a word of c takes two of a */
        CHECK(stub.n_seen == 5 && saw(0, OP_READ, a + 4, 4) && saw(1, OP_READ, a + 8, 8) && saw(2, OP_WRITE, c, 8) &&
              saw(3, OP_READ, a + 16, 4) && saw(4, OP_WRITE, c + 8, 8) && stub.n_transitions == stub.n_foreseen);
        stub_run(1);
        memmove(c + 8, c, 16); /* downwards */
        CHECK(stub.n_seen == 4 && saw(0, OP_READ, c + 8, 8) && saw(1, OP_WRITE, c + 16, 8) && saw(2, OP_READ, c, 8) &&
              saw(3, OP_WRITE, c + 8, 8));
        stub_run(1);
        memmove(c, c + 8, 16);
        CHECK(stub.n_seen == 4 && saw(0, OP_READ, c + 8, 8) && saw(1, OP_WRITE, c, 8));
        stub_run(1);
        CHECK(strcmp(a, b) < 0 && stub.n_seen == 2 && saw(0, OP_READ, a, 6) && saw(1, OP_READ, b, 5));
        stub_run(1);
        CHECK(strlen(a) == 5 && stub.n_seen == 1 && saw(0, OP_READ, a, 6));
        stub_run(1);
        CHECK(strnlen(a, 3) == 3 && stub.n_seen == 2 && saw(0, OP_READ, a, 2) && saw(1, OP_READ, a + 2, 1));
        stub_run(1);
        CHECK(strchr(a, 'e') == a + 1 && stub.n_seen == 1 && saw(0, OP_READ, a, 2));
        stub_run(1);
        CHECK(strrchr(a, 'l') == a + 3 && stub.n_seen == 1 && saw(0, OP_READ, a, 6));
        strcpy(c, "hello");
        stub_run(1);
        strcat(c, b);
        CHECK(stub.n_seen == 5 && saw(0, OP_READ, c, 6) && saw(1, OP_READ, b, 5) && saw(2, OP_WRITE, c + 5, 1) &&
              saw(3, OP_WRITE, c + 6, 2) && saw(4, OP_WRITE, c + 8, 2) && stub.n_transitions == stub.n_foreseen);
        stub_run(1);
        strncpy(c, a, 20);
        CHECK(stub.n_seen == 4 && saw(0, OP_READ, a, 6) && saw(1, OP_WRITE, c, 8) && saw(3, OP_WRITE, c + 16, 4));
        stub_run(1);
        CHECK(memcmp(a, b, 12) < 0 && stub.n_seen == 2 && saw(0, OP_READ, a, 8) && saw(1, OP_READ, b, 8));
        stub_run(1);
        p = strdup(a); /* read for the length, and again for the copy */
        CHECK(stub.n_seen == 5 && saw(0, OP_READ, a, 6) && saw(1, OP_READ, a, 4));
        stub_run(1);
        memset(c, 0, 0);
        CHECK(stub.n_seen == 0);
        stub_pause();
        CHECK(!strcmp(p, "hello"));
        free(p);
}

static char changing[32] __attribute__((aligned(8))) = "ab";

static void longer(void)
{
        for (int i = 2; i < 11; i++)
                changing[i] = (char)('a' + i);
}

/* The string has grown when it is the thread's turn. */
static void grown_meanwhile(void)
{
        stub_run(1);
        stub.meanwhile = longer;
        CHECK(strlen(changing) == 11);
        CHECK(stub.n_transitions == 2 && saw(0, OP_READ, changing, 8) && saw(1, OP_READ, changing + 8, 4));
        stub_pause();
}

static void wide_strings(bool steps)
{
        static const wchar_t *const s[] = {L"", L"a", L"ab", L"abc", L"\x1234 b", L"abcd"};
        wchar_t x[16], y[16];

        for (int i = 0; i < 36; i++) {
                const wchar_t *a = s[i / 6], *b = s[i % 6];

                stub_pause();
                LIBC(wmemset)(y, L'#', 16);
                LIBC(wcscpy)(y, a), LIBC(wcscat)(y, b), LIBC(wcsncpy)(y + 10, b, 5);
                if (steps)
                        stub_run(1);
                wmemset(x, L'#', 16);
                CHECK(wcscpy(x, a) == x && wcscat(x, b) == x && wcsncpy(x + 10, b, 5) == x + 10);
                CHECK(!LIBC(wmemcmp)(x, y, 16) && !wmemcmp(x, y, 16));
                CHECK(wcslen(a) == LIBC(wcslen)(a) && wcsnlen(a, 2) == LIBC(wcsnlen)(a, 2));
                CHECK(sign(wcscmp(a, b)) == sign(LIBC(wcscmp)(a, b)));
                CHECK(sign(wcsncmp(a, b, 2)) == sign(LIBC(wcsncmp)(a, b, 2)));
                CHECK(wcschr(a, L'b') == LIBC(wcschr)(a, L'b') && wcsrchr(a, L'b') == LIBC(wcsrchr)(a, L'b'));
                CHECK(wmemchr(x, L'b', 16) == LIBC(wmemchr)(x, L'b', 16));
        }
        stub_pause();
}

static void fortified(void)
{
        char small[4];

        stub_run(1);
        CHECK(!FAILS(__strcpy_chk(small, "abc", sizeof small)));
        CHECK(FAILS(__strcpy_chk(small, "abcd", sizeof small)) && strstr(stub.text, "buffer overflow"));
        CHECK(FAILS(__memset_chk(small, 0, 5, sizeof small)));
        stub_pause();
}

int main(void)
{
        for (int steps = 0; steps < 2; steps++) {
                same_as_libc(steps);
                moves_of_all_sizes(steps);
                wide_strings(steps);
        }
        words();
        footprints();
        grown_meanwhile();
        fortified();
        return 0;
}
