/*
 * Why an exploration is not complete: a set of reasons (reason.def), some with details.  Both processes keep one; the
 * explorer's is the union of what all targets and workers have said.
 *
 * Invariant: a set never loses a reason.  A detail for which there is no room is dropped, its reason is not.
 */
#ifndef HEDDLE_WIRE_REASON_H
#define HEDDLE_WIRE_REASON_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/limits.h"

enum reason {
        REASON_NONE,
#define REASON(name, text, after) REASON_##name,
#include "wire/reason.def"
#undef REASON
        REASONS
};

#define REASON_MAX_DETAILS 16u

struct reasons {
        uint64_t set; /* 1 << enum reason */
        uint32_t n;   /* details, in the order in which they came up */
        struct {
                uint32_t reason;
                char text[WIRE_TEXT];
        } details[REASON_MAX_DETAILS];
};

_Static_assert(REASONS <= 64, "a bit for each reason");

#define REASON_BIT(reason) (UINT64_C(1) << (reason))

static inline bool reasons_has(const struct reasons *r, enum reason reason)
{
        return r->set >> reason & 1;
}

static inline bool reasons_same_text(const char *a, const char *b)
{
        uint32_t i = 0;

        while (i + 1 < WIRE_TEXT && a[i] && a[i] == b[i])
                i++;
        return i + 1 == WIRE_TEXT || a[i] == b[i];
}

/* Adds a reason; detail: NULL, or what the reason's text is about. */
static inline void reasons_add(struct reasons *r, enum reason reason, const char *detail)
{
        uint32_t i = 0, k = 0;

        r->set |= REASON_BIT(reason);
        if (!detail)
                return;
        while (i < r->n && (r->details[i].reason != reason || !reasons_same_text(r->details[i].text, detail)))
                i++;
        if (i < r->n || i == REASON_MAX_DETAILS)
                return;
        for (; k + 1 < WIRE_TEXT && detail[k]; k++)
                r->details[i].text[k] = detail[k];
        r->details[i].text[k] = 0;
        r->details[i].reason = reason;
        r->n = i + 1;
}

#endif
