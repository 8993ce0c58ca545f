/* Writing JSON. */
#include "base/json.h"

#include <inttypes.h>
#include <math.h>

int json_utf8(const char *s)
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

void json_string(FILE *f, const char *s)
{
        if (!s) {
                fputs("null", f);
                return;
        }
        fputc('"', f);
        for (const unsigned char *p = (const unsigned char *)s; *p;) {
                int n = json_utf8((const char *)p);
                if (n == 0)
                        fputs("\\ufffd", f);
                else if (*p == '"' || *p == '\\')
                        fprintf(f, "\\%c", *p);
                else if (*p == '\n')
                        fputs("\\n", f);
                else if (*p == '\t')
                        fputs("\\t", f);
                else if (*p < 0x20 || *p == 0x7f)
                        fprintf(f, "\\u%04x", *p);
                else
                        fwrite(p, 1, (size_t)n, f);
                p += n ? n : 1;
        }
        fputc('"', f);
}

const char *json_bool(bool b)
{
        return b ? "true" : "false";
}

void json_optional(FILE *f, bool is, uint64_t n)
{
        if (is)
                fprintf(f, "%" PRIu64, n);
        else
                fputs("null", f);
}

void json_guess(FILE *f, double d, int digits)
{
        if (isfinite(d))
                fprintf(f, "%.*f", digits, d);
        else
                fputs("null", f);
}

void json_double(FILE *f, double d)
{
        fprintf(f, "%.6f", isfinite(d) ? d : 0.0);
}
