/* Plans: what is taken from a trace, how it is counted, which of two is better. */
#include "minimize/decision_list.h"

#include <stdio.h>

#include "op/op.h"

static int failed;

static void check(const char *name, int ok)
{
        printf("%s %s\n", ok ? "PASS" : "FAIL", name);
        failed |= !ok;
}

#define EV(who, flag)                                                                       \
        {                                                                                   \
                .actor = who, .op = OP_WRITE, .flags = flag, .size = 8, .choice = 10 + who, \
                .next_choice = WIRE_NO_CHOICE                                               \
        }

/* T0 creates before anything is decided; T1, T0, T0 (with an entry more), T1, T1, T2. */
static const struct wire_event events[] = {
        EV(0, 0), EV(1, WIRE_EV_SCHED), EV(0, WIRE_EV_SCHED), EV(0, WIRE_EV_SCHED),
        EV(0, 0), EV(1, WIRE_EV_SCHED), EV(1, WIRE_EV_SCHED), EV(2, WIRE_EV_SCHED),
};
static uint64_t enabled[] = {3, 3, 3, 2, 7, 4};
static struct wire_thread threads[3];
static struct wire_failure failure = {.kind = WIRE_FAIL_ASSERTION, .actor = 1, .event = 6};
static struct trace t = {.events = events,
                         .n_events = 8,
                         .n_transitions = 6,
                         .threads = threads,
                         .n_threads = 3,
                         .enabled = enabled,
                         .enabled_words = 1};

static void taking(void)
{
        struct plan p = {0};

        check("take_all", plan_take(&p, &t, UINT32_MAX) && p.steps.n == 6);
        check("switches", p.switches == 4);
        /* away from T0 at first, and from T1; T0 could not continue before the fourth, nor T1 before the last */
        check("preemptions", p.preemptions == 2);
        check("decision", p.steps.at[0].actor == 1 && p.steps.at[0].choice == 11 && p.steps.at[0].obj == 0);
        t.failures = &failure;
        t.n_failures = 1;
        check("take_up_to_failure", plan_take(&p, &t, 0) && p.steps.n == 4 && p.switches == 3);
        failure.kind = WIRE_FAIL_STARVED;
        check("starved_is_the_whole", plan_take(&p, &t, 0) && p.steps.n == 6);
        t.enabled = NULL;
        check("enabled_unknown", plan_take(&p, &t, UINT32_MAX) && p.preemptions == 0);
        plan_fini(&p);
}

static void order(void)
{
        struct plan a = {.preemptions = 1, .switches = 9}, b = {.preemptions = 2, .switches = 1};

        check("preemptions_first", plan_better(&a, &b) && !plan_better(&b, &a));
        b.preemptions = 1;
        check("then_switches", plan_better(&b, &a) && !plan_better(&a, &b));
        a.switches = 1;
        a.steps.n = 3;
        b.steps.n = 4;
        check("then_steps", plan_better(&a, &b) && !plan_better(&b, &a));
        a.steps.n = 4;
        check("equal_is_not_better", !plan_better(&a, &b) && !plan_better(&b, &a));
}

int main(void)
{
        taking();
        order();
        return failed;
}
