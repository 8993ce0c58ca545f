/* Small helpers that need no libc: copying, formatting, raw system calls, symbols of the real functions. */
#include "rt/util.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "rt/memory/bytes.h"

uint64_t rt_calls;

long rt_syscall6(long nr, long a, long b, long c, long d, long e, long f)
{
        long r;
        register long r10 __asm__("r10") = d;
        register long r8 __asm__("r8") = e;
        register long r9 __asm__("r9") = f;

        rt_calls++;
        __asm__ volatile("syscall"
                         : "=a"(r)
                         : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                         : "rcx", "r11", "memory");
        return r;
}

/* Vectors and words, never `rep`: that takes long to get going, and most copies are small. */
typedef long long block __attribute__((vector_size(16), aligned(1), may_alias));

void rt_copy(void *to, const void *from, size_t n)
{
        block *d = to;
        const block *s = from;

        for (; n >= 64; n -= 64, d += 4, s += 4) {
                block a = s[0], b = s[1], c = s[2], e = s[3];
                d[0] = a;
                d[1] = b;
                d[2] = c;
                d[3] = e;
        }
        for (; n >= 16; n -= 16)
                *d++ = *s++;
        bytes_copy(d, s, n);
}

void rt_zero(void *p, size_t n)
{
        const block none = {0, 0};
        block *d = p;

        for (; n >= 64; n -= 64, d += 4)
                d[0] = d[1] = d[2] = d[3] = none;
        for (; n >= 16; n -= 16)
                *d++ = none;
        bytes_fill(d, 0, n);
}

void rt_text(char *to, size_t size, const char *from)
{
        size_t i = 0;

        for (; i + 1 < size && from[i]; i++)
                to[i] = from[i];
        to[i] = 0;
}

static size_t format_number(char *to, uint64_t v, unsigned base)
{
        char digits[24];
        size_t n = 0, i;

        do {
                digits[n++] = "0123456789abcdef"[v % base];
                v /= base;
        } while (v);
        for (i = 0; i < n; i++)
                to[i] = digits[n - 1 - i];
        return n;
}

int rt_format(char *to, size_t size, const char *format, ...)
{
        va_list ap;
        size_t n = 0;

        va_start(ap, format);
        for (; *format && n + 32 < size; format++) {
                if (*format != '%') {
                        to[n++] = *format;
                        continue;
                }
                format++;
                if (*format == 's') {
                        const char *s = va_arg(ap, const char *);
                        while (*s && n + 32 < size)
                                to[n++] = *s++;
                } else if (*format == 'u') {
                        n += format_number(to + n, va_arg(ap, unsigned), 10);
                } else if (*format == 'x') {
                        n += format_number(to + n, va_arg(ap, unsigned), 16);
                } else if (*format == 'p') {
                        to[n++] = '0';
                        to[n++] = 'x';
                        n += format_number(to + n, va_arg(ap, uint64_t), 16);
                } else {
                        to[n++] = *format;
                }
        }
        va_end(ap);
        to[n] = 0;
        return (int)n;
}
