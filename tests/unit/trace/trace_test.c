/* trace_check against what a target gone wild may write; copies; which thread waits for which. */
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/observers.h"
#include "op/op.h"
#include "trace/finding.h"
#include "trace/waits.h"

static int failed;

static void check(const char *name, int ok)
{
        printf("%s %s\n", ok ? "PASS" : "FAIL", name);
        failed |= !ok;
}

static struct wire_up *up; /* large: allocated once */

static void fresh(void)
{
        uint32_t n_events = 4;

        memset(up, 0, offsetof(struct wire_up, new_shared));
        up->magic = WIRE_MAGIC;
        up->version = WIRE_VERSION;
        up->end = WIRE_END_DONE;
        up->n_events = n_events;
        up->n_transitions = 3;
        up->n_threads = up->n_names = 2;
        up->enabled_words = 0;
        up->enabled_overflow = 0;
        for (uint32_t i = 0; i < n_events; i++)
                up->events[i] = (struct wire_event){.actor = i / 2,
                                                    .op = OP_READ,
                                                    .flags = i == 1 ? 0 : WIRE_EV_SCHED,
                                                    .size = 4,
                                                    .obj = 0x1000,
                                                    .pos = i,
                                                    .next_choice = WIRE_NO_CHOICE,
                                                    .mode = WIRE_MODE_READ};
        for (uint32_t i = 0; i < 2; i++) {
                up->threads[i].state = WIRE_T_DONE;
                up->threads[i].holder = WIRE_NO_ACTOR;
        }
}

static int checks(uint32_t from)
{
        struct trace t;
        const char *why = NULL;
        int r = trace_check(&t, up, from, &why);

        return r == 0 ? 1 : (why ? 0 : -1);
}

#define REFUSES(name, damage)                \
        do {                                 \
                fresh();                     \
                damage;                      \
                check(name, checks(0) == 0); \
        } while (0)

static void refusals(void)
{
        fresh();
        check("accepts_a_good_trace", checks(0) == 1 && checks(2) == 1 && checks(100) == 1);
        REFUSES("wrong_magic", up->magic = 0);
        REFUSES("wrong_version", up->version++);
        REFUSES("too_many_events", up->n_events = WIRE_MAX_EVENTS + 1);
        REFUSES("too_many_threads", up->n_threads = WIRE_MAX_THREADS + 1);
        REFUSES("too_many_names", up->n_names = WIRE_MAX_THREADS + 1);
        REFUSES("too_many_failures", up->n_failures = WIRE_MAX_FAILURES + 1);
        REFUSES("too_many_modules", up->n_modules = UINT32_MAX);
        REFUSES("too_many_shared", up->n_new_shared = WIRE_MAX_SHARED + 1);
        REFUSES("wrong_transitions", up->n_transitions = 4);
        REFUSES("unknown_end", up->end = 99);
        REFUSES("failed_without_failure", up->end = WIRE_END_FAILED);
        REFUSES("actor_out_of_range", up->events[2].actor = 2);
        REFUSES("unknown_op", up->events[2].op = OP_COUNT);
        REFUSES("no_op", up->events[2].op = OP_NONE);
        REFUSES("unknown_mode", up->events[3].mode = 4);
        REFUSES("size_out_of_range", up->events[0].size = UINT32_MAX);
        REFUSES("object_wraps", up->events[0].obj = UINT64_MAX - 1);
        REFUSES("thread_state", up->threads[1].state = 77);
        REFUSES("thread_op", up->threads[1].op = OP_COUNT);
        REFUSES("thread_holder", up->threads[1].holder = 2);
        REFUSES("thread_stack", up->threads[1].n_stack = WIRE_MAX_STACK + 1);
        REFUSES("thread_name_unended", memset(up->threads[1].name, 'x', sizeof(up->threads[1].name)));
        REFUSES("parent_not_older", up->names[1].parent = 1);
        REFUSES("text_unended", memset(up->text, 'x', sizeof(up->text)));
        REFUSES("enabled_too_wide", up->enabled_words = 17);
        REFUSES("failure_kind", (up->n_failures = 1, up->failures[0].kind = WIRE_FAIL_KINDS));
        REFUSES("failure_actor", (up->n_failures = 1, up->failures[0].actor = 2));
        REFUSES("failure_event", (up->n_failures = 1, up->failures[0].event = 5));
        REFUSES("failure_text", (up->n_failures = 1, memset(up->failures[0].text, 'x', WIRE_TEXT)));
        REFUSES("module_path", (up->n_modules = 1, memset(up->modules[0].path, 'x', 248)));
        fresh();
        up->enabled_words = 1;
        struct trace t;
        const char *why;
        check("enabled_is_kept", trace_check(&t, up, 0, &why) == 0 && t.enabled == up->enabled);
        up->enabled_overflow = 1;
        check("enabled_overflow_is_none", trace_check(&t, up, 0, &why) == 0 && !t.enabled && !t.enabled_words);
}

static void copies(void)
{
        struct trace t;
        const char *why;

        fresh();
        up->enabled_words = 1;
        up->enabled[2] = 5;
        up->n_failures = up->n_modules = 1;
        strcpy(up->failures[0].text, "x == 1");
        strcpy(up->modules[0].path, "/bin/true");
        strcpy(up->text, "why");
        trace_check(&t, up, 0, &why);
        struct trace *c = trace_copy(&t);
        memset(up, 0xff, offsetof(struct wire_up, new_shared));
        memset(up->events, 0xff, sizeof(up->events[0]) * 8);
        check("copy_is_deep", c && c->n_events == 4 && c->events[3].actor == 1 && c->threads[1].state == WIRE_T_DONE &&
                                      c->enabled[2] == 5 && !strcmp(c->failures[0].text, "x == 1") &&
                                      !strcmp(c->modules[0].path, "/bin/true") && !strcmp(c->text, "why"));
        check("copy_is_valid", c && trace_validate(c, 0, &why) == 0);
        free(c);
}

static void waits(void)
{
        struct wire_thread th[4];
        struct trace t = {.threads = th, .n_threads = 4, .end = WIRE_END_STUCK};
        uint32_t cycle[4];
        enum finding_kind kind;
        uint32_t failure;

        memset(th, 0, sizeof(th));
        th[0] = (struct wire_thread){.state = WIRE_T_BLOCKED, .op = OP_JOIN, .obj = WIRE_OBJ_THREAD(1), .holder = 1};
        th[1] = (struct wire_thread){.state = WIRE_T_BLOCKED, .op = OP_MUTEX_LOCK, .obj = 0x100, .holder = 3};
        th[2] = (struct wire_thread){.state = WIRE_T_DONE, .holder = WIRE_NO_ACTOR};
        th[3] = (struct wire_thread){.state = WIRE_T_BLOCKED, .op = OP_MUTEX_LOCK, .obj = 0x200, .holder = 1};
        check("cycle_of_two", waits_cycle(&t, cycle) == 2 && cycle[0] == 1 && cycle[1] == 3 && waits_culprit(&t) == 1);
        char *m = finding_message(FINDING_DEADLOCK, &t, UINT32_MAX, NULL);
        check("message_of_deadlock",
              m && !strcmp(m, "T1 waits for mutex 0x100 held by T3, T3 waits for mutex 0x200 held by T1"));
        free(m);
        uint64_t key = finding_key(FINDING_DEADLOCK, &t, UINT32_MAX);
        struct wire_thread swap = th[1];
        th[1] = th[3], th[3] = swap;
        th[1].holder = 3, th[3].holder = 1;
        check("key_is_of_the_set", key == finding_key(FINDING_DEADLOCK, &t, UINT32_MAX));
        th[1].site = 1;
        check("key_knows_places", key != finding_key(FINDING_DEADLOCK, &t, UINT32_MAX));
        check("stuck_is_deadlock", deadlock_observer.find(&t, 0, &kind, &failure) && kind == FINDING_DEADLOCK);
        th[3].state = WIRE_T_SPIN;
        check("spin_is_livelock", deadlock_observer.find(&t, 0, &kind, &failure) && kind == FINDING_LIVELOCK);
        check("no_cycle", waits_cycle(&t, cycle) == 0 && waits_culprit(&t) == 3);
        th[1].holder = 1;
        check("cycle_of_one", waits_cycle(&t, cycle) == 1 && cycle[0] == 1);
        t.end = WIRE_END_DONE;
        check("done_is_no_deadlock", !deadlock_observer.find(&t, 0, &kind, &failure));
}

int main(void)
{
        up = calloc(1, sizeof(*up));
        if (!up)
                return 1;
        refusals();
        copies();
        waits();
        free(up);
        return failed;
}
