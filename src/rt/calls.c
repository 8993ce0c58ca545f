/* What calls read and write of the program's memory (calls.h). */
#include "rt/calls.h"

#include "rt/bytes.h"
#include "rt/string.h"

void call_in(const void *p, size_t n, uintptr_t site)
{
        const struct access_part part = {OP_READ, p, n};

        if (p && n && string_seen(site))
                access_parts(&part, 1, site);
}

void call_out(void *to, const void *from, size_t n, uintptr_t site)
{
        char *p = to;
        const char *q = from;
        bool seen = string_seen(site);

        if (!to)
                return;
        while (n) {
                size_t room = 8 - ((uintptr_t)p & 7), k = n < room ? n : room;
                const struct access_part part = {OP_WRITE, p, k};

                if (seen)
                        access_parts(&part, 1, site);
                bytes_copy(p, q, k);
                p += k;
                q += k;
                n -= k;
        }
}
