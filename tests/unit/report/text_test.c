/* The terminal report: what a reader must find in it, at 80 columns, and that nothing of the program's own control
 * characters comes through. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "op/op.h"
#include "report/report.h"

static int failed;

static void check(const char *name, int ok)
{
        printf("%s %s\n", ok ? "PASS" : "FAIL", name);
        failed |= !ok;
}

static struct report_info info = {.version = "1.0",
                                  .program = "p.c",
                                  .strategy = "dpor",
                                  .memory = "sc",
                                  .preempt = "all",
                                  .replay_hint = "-- ./prog a"};

static char *text_of(const struct result *r)
{
        char *text = NULL;
        size_t n;
        FILE *f = open_memstream(&text, &n);

        report_text(f, &info, r);
        fclose(f);
        return text;
}

static int has(const char *text, const char *part)
{
        int ok = strstr(text, part) != NULL;

        if (!ok)
                printf("     no `%s' in:\n%s\n", part, text);
        return ok;
}

static uint32_t widest(const char *text)
{
        uint32_t best = 0, n = 0;

        for (; *text; text++) {
                n = *text == '\n' ? 0 : n + (((unsigned char)*text & 0xc0) != 0x80);
                if (n > best && !strstr(text, "Replay") /* a schedule is never broken */)
                        best = n;
        }
        return best;
}

#define EV(who, what, o, v)                                                                                        \
        {                                                                                                          \
                .actor = who, .op = what, .flags = WIRE_EV_SCHED, .obj = o, .size = 8, .value = v, .site = 0x1000, \
                .next_choice = WIRE_NO_CHOICE, .mode = WIRE_MODE_WRITE                                             \
        }

static struct wire_event events[] = {
        EV(0, OP_CREATE, WIRE_OBJ_THREAD(1), 0),
        EV(0, OP_CREATE, WIRE_OBJ_THREAD(2), 0),
        EV(1, OP_MUTEX_LOCK, 0x100, 0),
        EV(2, OP_MUTEX_LOCK, 0x200, 0),
        EV(2, OP_WRITE, 0x300, 42),
        EV(1, OP_READ, 0x300, 42),
};
static struct wire_thread threads[3] = {
        {.state = WIRE_T_BLOCKED, .op = OP_JOIN, .obj = WIRE_OBJ_THREAD(1), .holder = 1},
        {.state = WIRE_T_BLOCKED, .op = OP_MUTEX_LOCK, .obj = 0x200, .holder = 2, .name = "left"},
        {.state = WIRE_T_BLOCKED, .op = OP_MUTEX_LOCK, .obj = 0x100, .holder = 1, .name = "ri\033ght"},
};
static struct trace t = {
        .events = events, .n_events = 6, .n_transitions = 6, .threads = threads, .n_threads = 3, .end = WIRE_END_STUCK};

static void deadlock(void)
{
        struct finding fd = {.kind = FINDING_DEADLOCK,
                             .count = 1,
                             .execution = 3,
                             .failure = UINT32_MAX,
                             .preemptions = 1,
                             .schedule = "h1:abc123:0x4,1!",
                             .trace = &t};
        struct result r = {.stats = {.executions = 3, .seconds = 0.5},
                           .findings = &fd,
                           .n_findings = 1,
                           .facts = {.instrumented = true}};
        char *text = text_of(&r);

        check("kind", has(text, "deadlock: T1 waits for mutex 0x200 held by T2"));
        check("cycle", has(text, "The cycle: T1 -> T2 -> T1"));
        check("replay_line", has(text, "heddle replay 'h1:abc123:0x4,1!' -- ./prog a"));
        check("columns", has(text, "T0 main") && has(text, "| T1 left"));
        check("steps", has(text, "create T1") && has(text, "write 0x300 = 42") && has(text, "read 0x300 = 42"));
        check("why_stopped", has(text, "preempted") && has(text, "waits for T1 to end"));
        check("no_control_characters", !strchr(text, '\033') && has(text, "ri?ght"));
        check("eighty_columns", widest(text) <= 80);
        free(text);
        info.color = true;
        text = text_of(&r);
        check("colour", has(text, "\033[1;31mdeadlock\033[0m"));
        free(text);
        info.color = false;
        setenv("LC_ALL", "C.UTF-8", 1);
        text = text_of(&r);
        check("unicode", has(text, "T1 → T2") && has(text, "│"));
        free(text);
        setenv("LC_ALL", "C", 1);
        setenv("COLUMNS", "44", 1);
        text = text_of(&r);
        check("narrow_is_a_list", has(text, "  T1 left\n") && !strstr(text, "| T1 left"));
        free(text);
        setenv("COLUMNS", "80", 1);
}

static void long_stretch(void)
{
        static struct wire_event many[300];
        struct wire_thread th = {.state = WIRE_T_FAILED, .holder = WIRE_NO_ACTOR};
        struct wire_failure fl = {.kind = WIRE_FAIL_CRASH, .signal = 11, .event = 300};
        struct trace lt = {.events = many,
                           .n_events = 300,
                           .n_transitions = 300,
                           .threads = &th,
                           .n_threads = 1,
                           .failures = &fl,
                           .n_failures = 1,
                           .end = WIRE_END_FAILED};
        struct finding fd = {.kind = FINDING_CRASH, .trace = &lt, .schedule = "h1:abc123:0!"};
        struct result r = {.findings = &fd, .n_findings = 1};

        for (uint32_t i = 0; i < 300; i++)
                many[i] = (struct wire_event)EV(0, OP_WRITE, 0x1000 + i, i);
        char *text = text_of(&r);
        check("collapsed", has(text, "... 290 more steps ...") && has(text, "= 299") && !strstr(text, "= 150"));
        check("failure_at_the_end", has(text, "! SIGSEGV at address 0x0"));
        free(text);
        info.verbose = true;
        text = text_of(&r);
        check("verbose_is_whole", has(text, "= 150"));
        free(text);
        info.verbose = false;
}

static void verdicts(void)
{
        uint64_t one[1] = {7}, two[1] = {0xffffffff};
        struct outcome o[2] = {{.values = one, .executions = 2, .schedule = "h1:abc123:0x1"},
                               {.values = two, .executions = 30, .schedule = "h1:abc123:0x2"}};
        struct observed cell = {.name = "x", .size = 4, .is_signed = true};
        struct race races[2] = {{.points = true, .orders = RACE_FORWARD | RACE_BACKWARD},
                                {.points = true, .orders = 3}};
        struct result r = {.stats = {.executions = 14, .blocked = 3, .complete = true, .seconds = 2, .threads = 2},
                           .facts = {.instrumented = true}};
        char *text = text_of(&r);

        check("safe", has(text, "No failure: every behaviour explored (14 executions, 3 more redundant"));
        free(text);
        r.stats.threads = 1;
        text = text_of(&r);
        check("one_thread",
              has(text, "No failure: every behaviour explored; no thread was started, only one thread ran"));
        free(text);
        r.stats.threads = 2;
        r.races = races;
        r.n_races = 2;
        text = text_of(&r);
        check("races", has(text, "No failure, but 2 data races (undefined behaviour in C and C++; --fail-on race makes "
                                 "them failures) (14 executions"));
        free(text);
        r.n_races = 0;
        r.facts.instrumented = false;
        text = text_of(&r);
        check("not_instrumented", has(text, "not built by `heddle cc`") &&
                                          has(text, "No failure at the granularity of thread calls: memory accesses "
                                                    "were not watched (14"));
        free(text);
        r.stats.complete = false;
        reasons_add(&r.stats.reasons, REASON_CALLED, "f of libg.so");
        reasons_add(&r.stats.reasons, REASON_TIME, NULL);
        text = text_of(&r);
        check("not_covered", has(text, "No failure found; not everything was covered:\n"
                                       "  - the limit of --time was reached\n  - calls of f of libg.so\n  (14"));
        free(text);
        r.stats.reasons = (struct reasons){0};
        r.stats.complete = false;
        reasons_add(&r.stats.reasons, REASON_NONDET, "int");
        reasons_add(&r.stats.reasons, REASON_EXECUTIONS, NULL);
        r.facts.observed = &cell;
        r.facts.n_observed = 1;
        r.outcomes = o;
        r.n_outcomes = 2;
        text = text_of(&r);
        check("unknown",
              has(text,
                  "not everything was explored: the limit of --executions was reached; values of __VERIFIER_nondet_int "
                  "beyond 0, 1, 2 and -1 were not tried (") &&
                      !strstr(text, "every behaviour"));
        check("outcomes_sorted", has(text, "30 :> x=-1; h1:abc123:0x2\n       2 :> x=7;"));
        free(text);
}

static void steps(void)
{
        char *text = NULL;
        size_t n;
        FILE *f = open_memstream(&text, &n);

        report_steps(f, &info, &t);
        fclose(f);
        check("steps_of_replay", has(text, "    5  T2   0x1000") && has(text, "write 0x300 = 42"));
        free(text);
}

int main(void)
{
        setenv("LC_ALL", "C", 1);
        setenv("COLUMNS", "80", 1);
        deadlock();
        long_stretch();
        verdicts();
        steps();
        return failed;
}
