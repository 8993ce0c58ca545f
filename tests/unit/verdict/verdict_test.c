/* Verdicts: the same trace gives the same findings, and what the target does not know of becomes a failure of the trace. */
#include "verdict/verdict.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "verdict/leak_table.h"

static const struct verdict_rules none = {.leaks = NULL};

/* Two threads of which each waits for what the other holds. */
static struct trace stuck_trace(struct wire_thread threads[2])
{
        for (int i = 0; i < 2; i++)
                threads[i] = (struct wire_thread){.state = WIRE_T_BLOCKED, .holder = WIRE_NO_ACTOR, .site = 0x10 + i};
        return (struct trace){.threads = threads, .n_threads = 2, .end = WIRE_END_STUCK, .text = ""};
}

static void clean_trace_has_none(void)
{
        struct trace t = {.end = WIRE_END_DONE, .text = ""};
        struct verdict v = {0};

        assert(verdict_of(&v, &t, &none) == 0 && v.findings.n == 0);
        verdict_fini(&v);
}

static void deadlock_is_found_again(void)
{
        struct wire_thread threads[2];
        struct trace t = stuck_trace(threads), was;
        struct verdict v = {0};
        uint64_t key;
        uint32_t at;

        assert(verdict_of(&v, &t, &none) == 0 && v.findings.n == 1);
        assert(v.findings.at[0].kind == FINDING_DEADLOCK && v.findings.at[0].failure == VERDICT_NONE);
        key = v.findings.at[0].key;
        was = t;
        assert(verdict_of(&v, &t, &none) == 0 && v.findings.n == 1 && v.findings.at[0].key == key);
        assert(memcmp(&was, &t, sizeof t) == 0);
        assert(verdict_shows(&v, FINDING_DEADLOCK, key, &at) == VERDICT_SAME && at == 0);
        assert(verdict_shows(&v, FINDING_DEADLOCK, key + 1, &at) == VERDICT_ALIKE);
        assert(verdict_shows(&v, FINDING_CRASH, key, &at) == VERDICT_NO);
        verdict_fini(&v);
}

static void failures_keep_their_order(void)
{
        struct wire_failure f[2] = {{.kind = WIRE_FAIL_ASSERTION, .site = 1, .event = 3},
                                    {.kind = WIRE_FAIL_LOOP, .site = 2, .event = 5}};
        struct wire_failure room[WIRE_MAX_FAILURES];
        struct trace t = {.failures = f, .n_failures = 2, .n_events = 9, .end = WIRE_END_FAILED, .text = ""};
        struct verdict v = {0};

        assert(!verdict_of(&v, &t, &none) && v.findings.n == 2 && v.findings.at[0].kind == FINDING_ASSERTION &&
               v.findings.at[1].kind == FINDING_INFINITE_LOOP);
        assert(verdict_place(&v, 1, &t, room) == 1 && t.failures == f && t.n_failures == 2);
        assert(verdict_upto(&t, 0) == 3 && verdict_upto(&t, VERDICT_NONE) == 9);
        assert(verdict_loops(&t));
        verdict_fini(&v);
}

/* A leak is a failure when another execution ended with less. */
static void leaks_depend_on_others(void)
{
        struct wire_leak lost = {
                .block = {.n_allocated = 1, .allocated = {0x40}}, .bytes = 8, .blocks = 1, .direct = 1};
        struct wire_thread main_thread = {.state = WIRE_T_DONE, .holder = WIRE_NO_ACTOR};
        struct trace t = {.threads = &main_thread, .n_threads = 1, .end = WIRE_END_DONE, .text = "", .leaks_known = 1};
        struct trace leaky = t;
        struct wire_failure room[WIRE_MAX_FAILURES];
        struct result r = {0};
        struct verdict_rules rules = {.leaks = &r};
        struct verdict v = {0};
        uint32_t at = 7;

        leaky.leaks = &lost;
        leaky.n_leaks = 1;
        assert(leaks_note(&r, &leaky) == 0 && !verdict_of(&v, &leaky, &rules));
        assert(v.findings.n == 1 && v.findings.at[0].held);
        assert(verdict_shows(&v, FINDING_LEAK, v.findings.at[0].key, &at) == VERDICT_NO && at == 7);
        assert(leaks_note(&r, &t) == 0 && !verdict_of(&v, &leaky, &rules));
        assert(v.findings.n == 1 && !v.findings.at[0].held && v.findings.at[0].made == 0);
        assert(verdict_place(&v, 0, &leaky, room) == 0 && leaky.failures == room && leaky.n_failures == 1);
        assert(room[0].kind == WIRE_FAIL_LEAK && room[0].status == 8);
        assert(verdict_of(&v, &t, &rules) == 0 && v.findings.n == 0);
        rules.leaks = NULL;
        assert(verdict_of(&v, &leaky, &rules) == 0 && v.findings.n == 1 && v.findings.at[0].failure == 0);
        verdict_fini(&v);
        result_drop_leaks(&r);
}

int main(void)
{
        clean_trace_has_none();
        deadlock_is_found_again();
        failures_keep_their_order();
        leaks_depend_on_others();
        puts("PASS verdict");
        return 0;
}
