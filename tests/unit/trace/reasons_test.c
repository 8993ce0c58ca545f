/*
 * Reasons for incompleteness: none hides another, the order is that of the table, and what comes from outside is bounded.
 */
#include "trace/reasons.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const char *text_of(const struct reasons *r, uint32_t i)
{
        static char buf[REASON_TEXT];

        return reasons_text(r, i, buf);
}

static void in_order(void)
{
        struct reasons r = {0};

        assert(!text_of(&r, 0));
        reasons_add(&r, REASON_NONDET, "int");
        reasons_add(&r, REASON_TIME, NULL);
        reasons_add(&r, REASON_NONDET, "long");
        reasons_add(&r, REASON_NONDET, "int");
        reasons_add(&r, REASON_TIME, NULL);
        assert(strcmp(text_of(&r, 0), "the limit of --time was reached") == 0);
        assert(strcmp(text_of(&r, 1), "values of __VERIFIER_nondet_int beyond 0, 1, 2 and -1 were not tried") == 0);
        assert(strcmp(text_of(&r, 2), "values of __VERIFIER_nondet_long beyond 0, 1, 2 and -1 were not tried") == 0);
        assert(!text_of(&r, 3));
}

static void merged(void)
{
        struct reasons a = {0}, b = {0};
        char line[REASONS_LINE];

        reasons_add(&a, REASON_DEPTH, NULL);
        reasons_add(&a, REASON_NONDET, "int");
        reasons_add(&b, REASON_INTERRUPTED, NULL);
        reasons_add(&b, REASON_NONDET, "int");
        reasons_merge(&a, &b);
        assert(strcmp(reasons_line(&a, line), "interrupted; some executions were cut at --depth; values of "
                                              "__VERIFIER_nondet_int beyond 0, 1, 2 and -1 were not tried") == 0);
}

/* A reason whose details are too many is still there. */
static void full(void)
{
        struct reasons r = {0};
        char detail[16];
        uint32_t n = 0;

        for (uint32_t i = 0; i < 2 * REASON_MAX_DETAILS; i++) {
                snprintf(detail, sizeof detail, "t%u", i);
                reasons_add(&r, REASON_NONDET, detail);
        }
        reasons_add(&r, REASON_UNWATCHED, "one more");
        while (text_of(&r, n))
                n++;
        assert(n == REASON_MAX_DETAILS + 1 && reasons_has(&r, REASON_UNWATCHED));
}

static void hostile(void)
{
        struct reasons from, to = {0};

        memset(&from, 0xff, sizeof from);
        reasons_merge(&to, &from);
        assert(to.n == 0 && !reasons_has(&to, REASON_NONE) && to.set >> REASONS == 0);
        from.n = 1;
        from.details[0].reason = REASON_NONDET;
        memset(from.details[0].text, 'x', sizeof from.details[0].text);
        reasons_merge(&to, &from);
        assert(to.n == 1 && strlen(to.details[0].text) == WIRE_TEXT - 1);
}

int main(void)
{
        in_order();
        merged();
        full();
        hostile();
        return 0;
}
