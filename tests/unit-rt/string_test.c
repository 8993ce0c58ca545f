/* The mem* and str* functions: they do what libc's do, and report exactly what they touch, as one transition. */
#include <dlfcn.h>
#include <string.h>
#include <strings.h>

#include "stub.h"

char *__strcpy_chk(char *dst, const char *src, size_t room);
void *__memset_chk(void *dst, int c, size_t n, size_t room);

/* libc's own, which ours stand before. */
#define LIBC(name) ((__typeof__(&name))rt_real(#name))

static bool saw(unsigned i, uint32_t op, const void *addr, size_t size)
{
        return i < stub.n_seen && stub.seen[i].op == op && stub.seen[i].addr == addr && stub.seen[i].size == size;
}

static int sign(int v)
{
        return (v > 0) - (v < 0);
}

/* Short strings over three letters: every case of length and difference comes up. */
static void same_as_libc(void)
{
        char a[12], b[12], x[40], y[40];
        unsigned r = 7;

        for (int round = 0; round < 20000; round++) {
                for (int i = 0; i < 12; i++) {
                        r = r * 1103515245 + 12345;
                        a[i] = "abAB\0aa\200"[(r >> 16) & 7];
                        b[i] = "abAB\0aa\200"[(r >> 20) & 7];
                }
                a[11] = b[(r >> 12) % 12] = b[11] = 0;
                size_t n = (r >> 10) % 12;
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

static void moves_of_all_sizes(void)
{
        static unsigned char x[1000], y[1000];

        for (size_t n = 0; n < 300; n++)
                for (size_t shift = 0; shift < 40; shift++) {
                        for (size_t i = 0; i < sizeof x; i++)
                                x[i] = y[i] = (unsigned char)(i * 7);
                        memmove(x + 200 + shift, x + 220, n);
                        LIBC(memmove)(y + 200 + shift, y + 220, n);
                        memset(x + 600 + shift, 5, n);
                        LIBC(memset)(y + 600 + shift, 5, n);
                        CHECK(mempcpy(x, x + 500, n) == x + n);
                        LIBC(memcpy)(y, y + 500, n);
                        CHECK(!LIBC(memcmp)(x, y, sizeof x));
                }
}

static void footprints(void)
{
        static char a[32] = "hello", b[32] = "help", c[32];
        char *p;

        stub_run(1);
        memcpy(c, a, 6);
        CHECK(stub.n_transitions == 1 && stub.n_seen == 2 && saw(0, OP_READ, a, 6) && saw(1, OP_WRITE, c, 6));
        stub_run(1);
        CHECK(strcmp(a, b) < 0);
        CHECK(stub.n_transitions == 1 && stub.n_seen == 2 && saw(0, OP_READ, a, 4) && saw(1, OP_READ, b, 4));
        stub_run(1);
        CHECK(strlen(a) == 5 && saw(0, OP_READ, a, 6));
        stub_run(1);
        CHECK(strnlen(a, 3) == 3 && saw(0, OP_READ, a, 3));
        stub_run(1);
        CHECK(strchr(a, 'e') == a + 1 && saw(0, OP_READ, a, 2));
        stub_run(1);
        strcat(c, b);
        CHECK(stub.n_transitions == 1 && stub.n_seen == 3 && saw(0, OP_READ, b, 5) && saw(1, OP_READ, c, 6) &&
              saw(2, OP_WRITE, c + 5, 5));
        stub_run(1);
        strncpy(c, a, 20);
        CHECK(saw(0, OP_READ, a, 6) && saw(1, OP_WRITE, c, 20));
        stub_run(1);
        CHECK(strstr(a, "ll") == a + 2 && saw(0, OP_READ, a, 4));
        stub_run(1);
        CHECK(memcmp(a, b, 5) < 0 && saw(0, OP_READ, a, 5) && saw(1, OP_READ, b, 5));
        stub_run(1);
        p = strdup(a);
        CHECK(stub.n_seen == 1 && saw(0, OP_READ, a, 6));
        stub_run(1);
        memset(c, 0, 0);
        CHECK(stub.n_seen == 0);
        stub_pause();
        CHECK(!strcmp(p, "hello"));
        free(p);
}

static char changing[32] = "ab";

static void longer(void)
{
        changing[2] = 'c';
}

/* The string has grown when it is the thread's turn: the call is reported again. */
static void grown_meanwhile(void)
{
        stub_run(1);
        stub.meanwhile = longer;
        CHECK(strlen(changing) == 3);
        CHECK(stub.n_transitions == 2 && saw(0, OP_READ, changing, 3) && saw(1, OP_READ, changing, 4));
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
        same_as_libc();
        moves_of_all_sizes();
        footprints();
        grown_meanwhile();
        fortified();
        return 0;
}
