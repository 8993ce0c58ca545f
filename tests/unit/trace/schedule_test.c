/* The schedule text: what is encoded is decoded; what users mistype is refused with its place. */
#include "trace/schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "op/op.h"

static int failed;

static void check(const char *name, int ok)
{
        printf("%s %s\n", ok ? "PASS" : "FAIL", name);
        failed |= !ok;
}

#define EV(who, what, flag, position, state)                                                                       \
        {                                                                                                          \
                .actor = who, .op = what, .flags = flag, .obj = 0x100, .size = 8, .value = state, .pos = position, \
                .next_choice = WIRE_NO_CHOICE, .mode = WIRE_MODE_WRITE                                             \
        }

static struct wire_event events[] = {
        EV(0, OP_WRITE, WIRE_EV_SCHED, 3, 0), EV(0, OP_MUTEX_LOCK, WIRE_EV_SCHED, 4, 0),
        EV(1, OP_WRITE, WIRE_EV_SCHED, 2, 0), EV(0, OP_WRITE, WIRE_EV_SCHED, 7, 0),
        EV(0, OP_MUTEX_UNLOCK, 0, 9, 1),      EV(1, OP_MUTEX_LOCK, WIRE_EV_SCHED, 5, 0),
};
static struct wire_thread threads[2] = {{.state = WIRE_T_DONE, .holder = WIRE_NO_ACTOR},
                                        {.state = WIRE_T_FAILED, .holder = WIRE_NO_ACTOR}};
static struct trace t = {.events = events, .n_events = 6, .n_transitions = 5, .threads = threads, .n_threads = 2};

static int encodes(const char *want, uint32_t n_events, uint32_t last)
{
        char *text = schedule_encode(&t, n_events, last, &(struct schedule_head){.fingerprint = 0xabc123});
        int ok = text && !strcmp(text, want);

        if (!ok)
                printf("     %s, not %s\n", text ? text : "(null)", want);
        free(text);
        return ok;
}

static void encoding(void)
{
        check("whole_trace", encodes("h1:abc123.91d3:0x4,1x2,0x5,1x3", 6, WIRE_NO_ACTOR));
        check("last_thread_to_its_end", encodes("h1:abc123.2094:0x4,1x2,0x5,1!", 6, 1));
        check("another_thread_to_its_end", encodes("h1:abc123.68fd:0x4,1x2,0x5,1x3,0!", 6, 0));
        check("cut_trace", encodes("h1:abc123.a95b:0x4,1x2", 3, WIRE_NO_ACTOR));
        struct schedule_head weak = {.fingerprint = 0xabc123, .memory = WIRE_MEMORY_TSO, .posix_fences = true};
        char *text = schedule_encode(&t, 3, WIRE_NO_ACTOR, &weak);
        check("memory_model", text && strcmp(strrchr(text, ':'), ":tso+posix,0x4,1x2") == 0);
        free(text);
        check("empty_trace", encodes("h1:abc123.8290:0x0", 0, WIRE_NO_ACTOR) && encodes("h1:abc123.b2f7:1!", 0, 1));
        events[2].op = OP_CHOOSE;
        events[3].choice = 2;
        events[5].next_choice = 4;
        check("choices", encodes("h1:abc123.f9f9:0x4,1x2,0x5,1!:0.2.0", 6, 1));
        events[3].op = OP_WAKE;
        check("a_thread_named_is_no_choice", encodes("h1:abc123.edc6:0x4,1x2,0x5,1!:0.0", 6, 1));
        events[3].op = OP_CREATE;
        events[2].op = OP_WRITE;
        t.names = (struct wire_name[]){{0}, {.nth = 1}, {.parent = 1, .nth = 1}};
        t.n_names = 3;
        check("threads_out_of_order", encodes("h1:abc123.0e61:of0.1,0x4,1x2,0x5,1!:0", 6, 1));
        events[3].choice = 1;
        check("threads_in_order", encodes("h1:abc123.35c8:0x4,1x2,0x5,1!:0", 6, 1));
        events[3].op = OP_WRITE;
        events[3].choice = 0;
        events[5].next_choice = WIRE_NO_CHOICE;
}

static void decoding(void)
{
        struct schedule_text s;
        struct error why;

        check("decodes", schedule_decode(&s, "h1:abc123:0x4,1x2,0x5,1!:0.2.0", &why) == 0 &&
                                 s.head.fingerprint == 0xabc123 && s.n_segments == 4 && s.segments[2].actor == 0 &&
                                 s.segments[2].until == 9 && s.segments[3].until == WIRE_TO_END && s.n_choices == 3 &&
                                 s.choices[1] == 2);
        schedule_fini(&s);
        check("signal", schedule_decode(&s, "h1:000000:0x4,1!:2.1@3@70.0", &why) == 0 && s.n_choices == 5 &&
                                s.choices[0] == 2 && s.choices[1] == (1 | WIRE_CHOICE_SIGNAL) && s.choices[2] == 3 &&
                                s.choices[3] == 70 && s.choices[4] == 0);
        schedule_fini(&s);
        check("no_choices", schedule_decode(&s, "h1:000000:0x0", &why) == 0 && s.n_choices == 0);
        schedule_fini(&s);
        check("flushes", schedule_decode(&s, "h1:abc123:0x4,f1@2,1!", &why) == 0 && s.head.memory == WIRE_MEMORY_SC &&
                                 s.n_segments == 3 && s.segments[1].actor == (1 | WIRE_FLUSH) &&
                                 s.segments[1].until == 2);
        schedule_fini(&s);
        check("memory", schedule_decode(&s, "h1:abc123:pso,0x4", &why) == 0 && s.head.memory == WIRE_MEMORY_PSO &&
                                !s.head.posix_fences && s.n_segments == 1);
        schedule_fini(&s);
        check("memory_posix", schedule_decode(&s, "h1:abc123:tso+posix,f0@3", &why) == 0 &&
                                      s.head.memory == WIRE_MEMORY_TSO && s.head.posix_fences && s.n_segments == 1);
        schedule_fini(&s);
        check("parents", schedule_decode(&s, "h1:abc123:pso,of0.1.0.1,0x4", &why) == 0 && s.n_names == 5 &&
                                 s.names[3].parent == 0 && s.names[3].nth == 2 && s.names[4].parent == 1 &&
                                 s.names[4].nth == 2 && s.n_segments == 1);
        schedule_fini(&s);
        check("is_text", schedule_is_text("h1:") && schedule_is_text("h2:xyz") && !schedule_is_text("0,1,2") &&
                                 !schedule_is_text("") && !schedule_is_text("hello:1"));
}

static void refuses(const char *name, const char *text, const char *part)
{
        struct schedule_text s;
        struct error why = {""};
        int ok = schedule_decode(&s, text, &why) == -1 && strstr(why.text, part);

        if (!ok)
                printf("     \"%s\"\n", why.text);
        check(name, ok);
}

static void refusals(void)
{
        refuses("signal_without_position", "h1:000000:0x0:1@1", "no position");
        refuses("signal_of_no_thread", "h1:000000:0x0:1@5000@1", "out of range");
        refuses("empty", "", "begins with");
        refuses("version", "h2:abc123:0x4", "version h2");
        refuses("check_cut", "h1:abc123.f9f9:0x4,1x2,0x5", "cut or mistyped");
        refuses("check_mistyped", "h1:abc123.f9f9:0x4,1x3,0x5,1!:0.2.0", "cut or mistyped");
        refuses("check_other_build", "h1:abc124.f9f9:0x4,1x2,0x5,1!:0.2.0", "cut or mistyped");
        refuses("check_digit", "h1:abc123.12g4:0x4", "check digits");
        refuses("fingerprint_cut", "h1:abc", "character 7: the text ends");
        refuses("fingerprint_digit", "h1:abcg23:0x1", "character 7: found `g'");
        refuses("no_segments", "h1:abc123:", "the text ends");
        refuses("cut_after_comma", "h1:abc123:0x4,", "was it cut?");
        refuses("cut_after_x", "h1:abc123:0x", "was it cut?");
        refuses("cut_after_thread", "h1:abc123:0x4,1", "was it cut?");
        refuses("mistyped_segment", "h1:abc123:0x4;1x2", "`;'");
        refuses("thread_range", "h1:abc123:1024x4", "below 1024");
        refuses("count_range", "h1:abc123:0x4294967295", "out of range");
        refuses("count_sum", "h1:abc123:0x4294967290,0x9", "out of range");
        refuses("after_the_end", "h1:abc123:0!,0x3", "already run to its end");
        refuses("choice_cut", "h1:abc123:0x3:", "was it cut?");
        refuses("choice_range", "h1:abc123:0x3:99999999999", "out of range");
        refuses("memory_unknown", "h1:abc123:tsx,0x3", "`tso', `pso'");
        refuses("memory_alone", "h1:abc123:tso", "was it cut?");
        refuses("memory_twice", "h1:abc123:tso,pso,0x3", "number of a thread");
        refuses("memory_plus", "h1:abc123:tso+posit,0x3", "after the memory model");
        refuses("parents_cut", "h1:abc123:of0.", "was it cut?");
        refuses("parents_alone", "h1:abc123:of0.1", "was it cut?");
        refuses("parent_of_itself", "h1:abc123:of0.2,0x3", "below 2");
        refuses("flush_cut", "h1:abc123:f1@", "was it cut?");
        refuses("rubbish_behind", "h1:abc123:0x3:1 ", "0x20");
}

/* Every text made by damaging a good one is decoded or refused, never more. */
static void damaged(void)
{
        const char *good = "h1:abc123:0x4,1x2,0x5,1!:0.2.0";
        uint32_t state = 1, taken = 0;

        for (int i = 0; i < 20000; i++) {
                char text[64];
                struct error why;
                struct schedule_text s;
                snprintf(text, sizeof(text), "%s", good);
                for (int k = 0; k < 3; k++) {
                        state = state * 1664525 + 1013904223;
                        text[(state >> 8) % strlen(good)] = "h1:x!,.0923abc \377"[(state >> 20) % 16];
                }
                if (schedule_decode(&s, text, &why) == 0) {
                        taken++;
                        schedule_fini(&s);
                }
        }
        check("damaged_texts", taken > 0);
}

static void preemptions(void)
{
        /* 0 continues with a write (preempted); 1 waits for the mutex that 0 holds (not preempted); 0 is done. */
        events[2].obj = 0x200;
        events[3].obj = 0x200;
        events[4].value = 1; /* held by 0 */
        check("preemptions", schedule_preemptions(&t, 0, NULL) == 1);
        events[4].value = 0;
        check("free_mutex_is_preemption", schedule_preemptions(&t, 0, NULL) == 2);
}

int main(void)
{
        encoding();
        decoding();
        refusals();
        damaged();
        preemptions();
        return failed;
}
