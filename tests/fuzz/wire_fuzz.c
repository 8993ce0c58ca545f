/*
 * The wire: whatever a target leaves in its region is refused, or shown by every report and learnt by a strategy.
 *
 * The region is too large to be the input, so the input describes it: a few counts, then a record for each entry, thread
 * and name, then single bytes anywhere in the head and at the beginning of the arrays.  Records wrap values to small
 * numbers, so that most entries make sense and the rest are what a stray write does.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "strategy/registry.h"
#include "op/op.h"
#include "tell.h"
#include "trace/trace.h"

static struct wire_up up;

struct input {
        const uint8_t *at;
        size_t left;
};

static uint8_t byte(struct input *in)
{
        if (in->left == 0)
                return 0;
        in->left--;
        return *in->at++;
}

static void entry(struct input *in, struct wire_event *e, uint32_t n_threads, uint32_t *positions)
{
        uint8_t what = byte(in), object = byte(in), more = byte(in);

        memset(e, 0, sizeof *e);
        e->actor = n_threads ? what % n_threads : 0;
        e->op = (uint8_t)(1 + byte(in) % (OP_COUNT - 1));
        e->flags = more & 15;
        e->size = 1u << (more >> 4 & 3);
        e->mode = more >> 6;
        e->obj = object & 0x80 ? WIRE_OBJ_THREAD(object & 7) : 0x1000 + (object & 31) * 8u;
        e->pos = ++positions[e->actor];
        e->choice = what >> 6;
        e->next_choice = what & 0x20 ? e->choice + 1 : WIRE_NO_CHOICE;
        e->value = object;
}

/* Single bytes in the head, and in the first elements of an array. */
static void scribble(struct input *in)
{
        static const size_t starts[] = {0,
                                        offsetof(struct wire_up, failures),
                                        offsetof(struct wire_up, names),
                                        offsetof(struct wire_up, threads),
                                        offsetof(struct wire_up, events),
                                        offsetof(struct wire_up, frames) - 8,
                                        offsetof(struct wire_up, enabled) - 8};

        while (in->left >= 4) {
                size_t start = starts[byte(in) % (sizeof starts / sizeof *starts)], high = byte(in);
                ((uint8_t *)&up)[start + (high << 8 | byte(in)) % 2048] = byte(in);
        }
}

static void learn(const struct trace *t, strategy_maker *make)
{
        static struct wire_decision prefix[WIRE_MAX_EVENTS];
        static struct wire_sleep sleep[WIRE_MAX_SLEEP];
        static struct wire_access footprint[WIRE_MAX_FOOTPRINT];
        struct schedule schedule = {.prefix = prefix, .sleep = sleep, .footprint = footprint};
        const struct config config = {0};
        struct strategy *s = make(&config, false);

        if (!s)
                abort();
        for (int i = 0; i < 3 && strategy_next(s, &schedule, 0) > 0 && s->ops->learn(s, t) == 0; i++)
                ;
        s->ops->destroy(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct input in = {data, size};
        uint32_t positions[16] = {0};
        const char *why = NULL;
        struct trace t;

        memset(&up, 0, offsetof(struct wire_up, new_shared));
        memset(up.stacks, 0, 4096);
        memset(up.events, 0, 4096);
        up.n_frames = up.enabled_words = up.enabled_overflow = 0;
        up.magic = WIRE_MAGIC;
        up.version = WIRE_VERSION;
        up.n_threads = up.n_names = 1 + byte(&in) % 6;
        up.n_events = byte(&in) % 64;
        up.end = byte(&in) % (WIRE_END_FAULT + 1);
        up.n_failures = byte(&in) % 3;
        for (uint32_t i = 0; i < up.n_failures; i++)
                up.failures[i] = (struct wire_failure){.kind = byte(&in) % 5, .actor = byte(&in) % up.n_threads};
        for (uint32_t i = 0; i < up.n_threads; i++) {
                up.threads[i] = (struct wire_thread){.state = byte(&in) % (WIRE_T_EXITED + 1),
                                                     .op = byte(&in) % OP_COUNT,
                                                     .obj = 0x1000 + byte(&in) % 32 * 8u,
                                                     .holder = WIRE_NO_ACTOR};
                up.names[i].parent = 0;
        }
        for (uint32_t i = 0; i < up.n_events; i++) {
                entry(&in, &up.events[i], up.n_threads, positions);
                up.n_transitions += up.events[i].flags & WIRE_EV_SCHED;
        }
        scribble(&in);
        for (uint32_t i = 0; i < up.n_events && i < 64; i++)
                up.events[i].size &= 4095; /* a large access costs time, and is not an error */
        if (trace_check(&t, &up, 0, &why) == 0) {
                tell(&t, NULL);
                learn(&t, dpor_make);
                learn(&t, dfs_make);
        } else if (!why) {
                abort();
        }
        return 0;
}
