/* Writing JSON. */
#include "base/json.h"

#include <inttypes.h>
#include <math.h>

#include "base/shown.h"

void json_string(FILE *f, const char *s)
{
        if (!s) {
                fputs("null", f);
                return;
        }
        fputc('"', f);
        for (const unsigned char *p = (const unsigned char *)s; *p;) {
                uint32_t code;
                bool shown;
                uint32_t n = shown_next((const char *)p, &code, &shown);
                if (*p == '"' || *p == '\\')
                        fprintf(f, "\\%c", *p);
                else if (*p == '\n')
                        fputs("\\n", f);
                else if (*p == '\t')
                        fputs("\\t", f);
                else if (!shown && code < 0x10000)
                        fprintf(f, "\\u%04x", code);
                else
                        fwrite(p, 1, n, f);
                p += n;
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
