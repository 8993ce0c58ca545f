/* base64: three bytes are four characters, and a last group that is shorter ends with '='. */
#include "base/base64.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char *base64_encode(const void *bytes, size_t n)
{
        const unsigned char *p = bytes;
        char *text = malloc((n + 2) / 3 * 4 + 1), *to = text;

        if (!text)
                return NULL;
        for (size_t i = 0; i < n; i += 3) {
                uint32_t v =
                        (uint32_t)p[i] << 16 | (i + 1 < n ? (uint32_t)p[i + 1] << 8 : 0) | (i + 2 < n ? p[i + 2] : 0);

                *to++ = letters[v >> 18];
                *to++ = letters[v >> 12 & 63];
                *to++ = i + 1 < n ? letters[v >> 6 & 63] : '=';
                *to++ = i + 2 < n ? letters[v & 63] : '=';
        }
        *to = 0;
        return text;
}

static int value_of(char c)
{
        const char *at = c ? strchr(letters, c) : NULL;

        return at ? (int)(at - letters) : -1;
}

unsigned char *base64_decode(const char *text, size_t n, size_t *size)
{
        unsigned char *bytes = n % 4 ? NULL : malloc(n / 4 * 3 + 1), *to = bytes;
        signed char values[256];

        for (int c = 0; c < 256; c++)
                values[c] = (signed char)value_of((char)c);
        for (size_t i = 0; bytes && i < n; i += 4) {
                int pad = i + 4 < n ? 0 : (text[i + 3] == '=') + (text[i + 3] == '=' && text[i + 2] == '=');
                uint32_t v = 0;
                bool bad = false;

                for (int k = 0; k < 4; k++) {
                        int x = k >= 4 - pad ? 0 : values[(unsigned char)text[i + (size_t)k]];
                        bad = bad || x < 0;
                        v = v << 6 | (uint32_t)(x & 63);
                }
                if (bad) {
                        free(bytes);
                        return NULL;
                }
                *to++ = (unsigned char)(v >> 16);
                if (pad < 2)
                        *to++ = (unsigned char)(v >> 8);
                if (pad < 1)
                        *to++ = (unsigned char)v;
        }
        *size = bytes ? (size_t)(to - bytes) : 0;
        return bytes;
}
