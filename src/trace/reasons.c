/*
 * Reasons in words.  The order is that of reason.def and, within one reason, that in which the details came up, so that
 * the same exploration gives the same list with any number of workers.
 */
#include "trace/reasons.h"

#include <stdio.h>
#include <string.h>

static const struct {
        const char *text, *after;
} rows[REASONS] = {
#define REASON(name, text, after) [REASON_##name] = {text, after},
#include "wire/reason.def"
#undef REASON
};

#define KNOWN ((UINT64_MAX >> (64 - REASONS)) & ~REASON_BIT(REASON_NONE))

void reasons_merge(struct reasons *to, const struct reasons *from)
{
        uint32_t n = from->n < REASON_MAX_DETAILS ? from->n : REASON_MAX_DETAILS;

        to->set |= from->set & KNOWN;
        for (uint32_t i = 0; i < n; i++) {
                char text[WIRE_TEXT];
                uint32_t reason = from->details[i].reason;

                memcpy(text, from->details[i].text, sizeof text);
                text[sizeof text - 1] = '\0';
                if (reason > REASON_NONE && reason < REASONS)
                        reasons_add(to, reason, text);
        }
}

struct reasons reasons_not_covered(const struct reasons *r)
{
        static const uint64_t mask = 0
#define REASON(name, text, after)
#define NOT_COVERED(name, text, after) | REASON_BIT(REASON_##name)
#include "wire/reason.def"
#undef REASON
                ;
        struct reasons some = *r;

        some.set &= mask;
        return some;
}

const char *reasons_text(const struct reasons *r, uint32_t i, char buf[REASON_TEXT])
{
        for (uint32_t reason = REASON_NONE + 1; reason < REASONS; reason++) {
                bool detailed = false;

                if (!reasons_has(r, reason))
                        continue;
                for (uint32_t d = 0; d < r->n; d++) {
                        if (r->details[d].reason != reason)
                                continue;
                        detailed = true;
                        if (i-- == 0) {
                                snprintf(buf, REASON_TEXT, "%s%s%s", rows[reason].text, r->details[d].text,
                                         rows[reason].after);
                                return buf;
                        }
                }
                if (!detailed && i-- == 0) {
                        snprintf(buf, REASON_TEXT, "%s%s", rows[reason].text, rows[reason].after);
                        return buf;
                }
        }
        return NULL;
}

const char *reasons_line(const struct reasons *r, char buf[REASONS_LINE])
{
        char text[REASON_TEXT];
        size_t n = 0;

        buf[0] = '\0';
        for (uint32_t i = 0; n < REASONS_LINE && reasons_text(r, i, text); i++)
                n += (size_t)snprintf(buf + n, REASONS_LINE - n, "%s%s", i ? "; " : "", text);
        return buf;
}
