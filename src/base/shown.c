/* See shown.h.  Invariant: what shown_put() writes moves no cursor, changes no colour, and reads in the order of its bytes. */
#include "base/shown.h"

#include <string.h>

#define LINE 4096u

int shown_utf8(const char *s)
{
        const unsigned char *p = (const unsigned char *)s;

        if (p[0] < 0x80)
                return 1;
        int n = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
        if (p[0] < 0xc2 || p[0] > 0xf4)
                return 0;
        for (int i = 1; i < n; i++)
                if ((p[i] & 0xc0) != 0x80)
                        return 0;
        if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) || (p[0] == 0xf0 && p[1] < 0x90) ||
            (p[0] == 0xf4 && p[1] > 0x8f))
                return 0;
        return n;
}

static uint32_t decode(const char *s, int n)
{
        const unsigned char *p = (const unsigned char *)s;
        uint32_t code = n == 1 ? p[0] : p[0] & (0x7fu >> n);

        for (int i = 1; i < n; i++)
                code = code << 6 | (p[i] & 0x3f);
        return code;
}

static bool turns(uint32_t code)
{
        return code == 0x061c || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
               (code >= 0x2066 && code <= 0x2069) || code == 0xfeff || (code >= 0xe0000 && code <= 0xe007f);
}

uint32_t shown_next(const char *s, uint32_t *code, bool *shown)
{
        int n = shown_utf8(s);

        *code = n ? decode(s, n) : 0xfffd;
        *shown = n && *code >= ' ' && !(*code >= 0x7f && *code <= 0x9f) && !turns(*code);
        return n ? (uint32_t)n : 1;
}

void shown_put(FILE *f, const char *text, uint32_t bytes)
{
        for (uint32_t i = 0, n; i < bytes; i += n) {
                char part[8] = "";
                uint32_t code;
                bool shown;

                memcpy(part, text + i, bytes - i < 4 ? bytes - i : 4);
                n = shown_next(part, &code, &shown);
                if (shown)
                        fwrite(part, 1, n, f);
                else
                        fputc('?', f);
        }
}

void shown_line(FILE *f, const char *format, va_list args)
{
        char line[LINE];
        int n = vsnprintf(line, sizeof line, format, args);

        fputs("heddle: ", f);
        shown_put(f, line, n < 0 ? 0 : n < (int)sizeof line ? (uint32_t)n : (uint32_t)sizeof line - 1);
        fputc('\n', f);
}
