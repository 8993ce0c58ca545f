/*
 * What is said about a failure: its kind, whether two are the same, its one-line message, its place.
 *
 * Invariant: a key depends only on causal names (threads' operations, addresses, call sites), so it is the same in
 * every execution that shows the failure.
 */
#include "trace/finding.h"
#include "base/hash.h"
#include "trace/state_names.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "op/channel.h"
#include "op/op.h"
#include "trace/heap.h"
#include "trace/leak.h"
#include "trace/race.h"
#include "binary/modules.h"
#include "binary/symbols.h"
#include "trace/waits.h"

const char *finding_kind_name(enum finding_kind kind)
{
        static const char *const names[FINDING_KINDS] = {
                [FINDING_DEADLOCK] = "deadlock",
                [FINDING_ASSERTION] = "assertion",
                [FINDING_CRASH] = "crash",
                [FINDING_ABORT] = "abort",
                [FINDING_EXIT_STATUS] = "exit-status",
                [FINDING_LIVELOCK] = "livelock",
                [FINDING_INFINITE_LOOP] = "infinite-loop",
                [FINDING_LOCK_MISUSE] = "lock-misuse",
                [FINDING_NONDETERMINISM] = "nondeterminism",
                [FINDING_INVARIANT] = "invariant",
                [FINDING_RACE] = "race",
                [FINDING_USE_AFTER_FREE] = "use-after-free",
                [FINDING_DOUBLE_FREE] = "double-free",
                [FINDING_INVALID_FREE] = "invalid-free",
                [FINDING_OUT_OF_BOUNDS] = "out-of-bounds",
                [FINDING_LEAK] = "leak",
                [FINDING_TRANSACTION] = "transaction",
        };
        return (unsigned)kind < FINDING_KINDS ? names[kind] : "?";
}

enum finding_kind finding_kind_named(const char *name)
{
        enum finding_kind kind = 0;

        while (kind < FINDING_KINDS && !(name && strcmp(finding_kind_name(kind), name) == 0))
                kind++;
        return kind;
}

enum finding_kind finding_kind_of(uint32_t wire_failure_kind)
{
        switch (wire_failure_kind) {
        case WIRE_FAIL_ASSERTION: return FINDING_ASSERTION;
        case WIRE_FAIL_CRASH: return FINDING_CRASH;
        case WIRE_FAIL_EXIT_STATUS: return FINDING_EXIT_STATUS;
        case WIRE_FAIL_LOOP: return FINDING_INFINITE_LOOP;
        case WIRE_FAIL_INVARIANT: return FINDING_INVARIANT;
        case WIRE_FAIL_STARVED: return FINDING_LIVELOCK;
        case WIRE_FAIL_MISUSE: return FINDING_LOCK_MISUSE;
        case WIRE_FAIL_RACE: return FINDING_RACE;
        case WIRE_FAIL_USE_AFTER_FREE: return FINDING_USE_AFTER_FREE;
        case WIRE_FAIL_DOUBLE_FREE: return FINDING_DOUBLE_FREE;
        case WIRE_FAIL_INVALID_FREE: return FINDING_INVALID_FREE;
        case WIRE_FAIL_OUT_OF_BOUNDS: return FINDING_OUT_OF_BOUNDS;
        case WIRE_FAIL_LEAK: return FINDING_LEAK;
        case WIRE_FAIL_TRANSACTION: return FINDING_TRANSACTION;
        default: return FINDING_ABORT;
        }
}

static bool stuck(const struct wire_thread *th)
{
        return th->state == WIRE_T_BLOCKED || th->state == WIRE_T_SPIN;
}

/* The same for any order of the threads: which of two similar threads waits where makes no new failure. */
static uint64_t stuck_key(const struct trace *t)
{
        uint32_t cycle[WIRE_MAX_THREADS];
        uint32_t n = waits_cycle(t, cycle);
        uint64_t sum = 0;

        for (uint32_t i = 0; i < (n ? n : t->n_threads); i++) {
                const struct wire_thread *th = &t->threads[n ? cycle[i] : i];
                if (stuck(th))
                        sum += hash_mix(hash_mix(hash_mix(th->state, th->op), th->obj), th->site);
        }
        return sum;
}

uint64_t finding_key(enum finding_kind kind, const struct trace *t, uint32_t failure)
{
        uint64_t h = hash_mix(1, (uint64_t)kind);

        if (failure < t->n_failures) {
                const struct wire_failure *f = &t->failures[failure];
                if (kind == FINDING_RACE) /* the same in both orders */
                        return hash_mix(h, hash_mix(f->site, f->signal) + hash_mix(f->other, f->status));
                if (kind == FINDING_LEAK)
                        return hash_mix(h, leak_key(&f->block));
                h = hash_mix(hash_mix(hash_mix(h, f->site), f->signal), f->status);
                h = kind == FINDING_INVARIANT ? hash_mix(h, f->addr) : h;
                for (const char *p = kind == FINDING_ASSERTION || kind == FINDING_LOCK_MISUSE ? f->text : ""; *p; p++)
                        h = hash_mix(h, (unsigned char)*p);
                return h;
        }
        if (kind == FINDING_DEADLOCK || kind == FINDING_LIVELOCK)
                return hash_mix(h, stuck_key(t));
        return h;
}

uint32_t finding_actor(enum finding_kind kind, const struct trace *t, uint32_t failure)
{
        if (failure < t->n_failures)
                return t->failures[failure].actor;
        if (kind == FINDING_NONDETERMINISM)
                return t->n_events ? t->events[t->n_events - 1].actor : WIRE_NO_ACTOR;
        return waits_culprit(t);
}

static uint32_t put_stack(uint64_t *sites, uint64_t site, const uint64_t *stack, uint32_t n_stack)
{
        uint32_t n = 0;

        if (site && (!n_stack || stack[0] != site))
                sites[n++] = site;
        for (uint32_t i = 0; i < n_stack && i < WIRE_MAX_STACK; i++)
                sites[n++] = stack[i];
        return n;
}

uint32_t finding_thread_stack(const struct trace *t, uint32_t thread, uint64_t *sites)
{
        const struct wire_thread *th = &t->threads[thread];

        if (th->state == WIRE_T_UNUSED || th->state == WIRE_T_DONE)
                return 0;
        return put_stack(sites, th->site, th->stack, th->n_stack);
}

uint32_t finding_stack(enum finding_kind kind, const struct trace *t, uint32_t failure, uint64_t *sites)
{
        if (failure < t->n_failures) {
                const struct wire_failure *f = &t->failures[failure];
                return put_stack(sites, f->site, f->stack, f->n_stack);
        }
        uint32_t actor = finding_actor(kind, t, failure);
        return actor < t->n_threads ? finding_thread_stack(t, actor, sites) : 0;
}

/* What a descriptor of the program is, or signals are. */
static bool channel_name(char *buf, size_t size, uint64_t obj)
{
        static const char *const kinds[] = {[CHANNEL_NONE] = "pipe",
                                            [CHANNEL_PIPE] = "pipe",
                                            [CHANNEL_SOCKETS] = "socket",
                                            [CHANNEL_EVENT] = "eventfd",
                                            [CHANNEL_TIMER] = "timerfd",
                                            [CHANNEL_SIGNALS] = "signalfd",
                                            [CHANNEL_LISTENER] = "listening socket",
                                            "pipe"};
        uint32_t kind = OP_CHANNEL_KIND(obj);
        uint64_t n = (obj - OP_CHANNEL_IS(kind) - WIRE_OBJ_CHANNEL(0, 0)) / 8;
        unsigned index = (unsigned)(n % WIRE_MAX_CHANNELS), thread = (unsigned)(n / WIRE_MAX_CHANNELS);

        if (obj < WIRE_OBJ_CHANNEL(0, 0) || n >= WIRE_MAX_THREADS * WIRE_MAX_CHANNELS)
                return false;
        if (obj == WIRE_OBJ_EPOLLS)
                snprintf(buf, size, "the epoll instances");
        else if (index < WIRE_SIGNAL_CELL)
                snprintf(buf, size, "%s %u of T%u", kinds[kind], index + 1, thread);
        else if (index == WIRE_SIGNAL_CELL)
                snprintf(buf, size, "the signals of T%u", thread);
        else if (thread == WIRE_MAX_THREADS - 1)
                snprintf(buf, size, "signal %u to the process", index - WIRE_SIGNAL_CELL);
        else
                snprintf(buf, size, "signal %u to T%u", index - WIRE_SIGNAL_CELL, thread);
        return true;
}

const char *finding_name(char *buf, size_t size, struct symbols *s, uint32_t kind, uint64_t obj)
{
        const char *text = kind < OP_OBJ_KINDS ? op_kinds[kind].text : "";

        buf[0] = 0;
        if (!op_object_named(kind))
                return buf;
        if (obj >= WIRE_OBJ_THREAD(0)) {
                snprintf(buf, size, "T%u", WIRE_THREAD_OF(obj));
                return buf;
        }
        if (statename(buf, size, obj))
                return buf;
        if (channel_name(buf, size, obj))
                return buf;
        if (obj >= WIRE_OBJ_FUTEX(0) && obj < WIRE_OBJ_FUTEX(UINT64_C(1) << 47))
                obj -= WIRE_OBJ_FUTEX(0);
        if (WIRE_IS_ROUND(obj))
                obj = WIRE_ROUND_BARRIER(obj);
        if (kind == OP_OBJ_BARRIER)
                obj &= ~UINT64_C(7);
        const char *name = s ? symbols_data(s, obj) : NULL;
        if (name)
                snprintf(buf, size, "%s%s", text, name);
        else
                snprintf(buf, size, "%s0x%llx", text, (unsigned long long)obj);
        return buf;
}

const char *finding_object(char *buf, size_t size, struct symbols *s, uint32_t op, uint64_t obj)
{
        return finding_name(buf, size, s, op_object(op), obj);
}

/* libc's text names the place too, which is reported elsewhere: only the condition is kept of it. */
static void say_assertion(struct strbuf *b, const char *text)
{
        const char *libc = strstr(text, "Assertion `");

        if (libc)
                strbuf_printf(b, "a%.*s", (int)(strlen(libc + 1) - (libc[strlen(libc) - 1] == '.')), libc + 1);
        else if (!text[0])
                strbuf_puts(b, "an assertion failed");
        else if (strstr(text, "reach_error"))
                strbuf_puts(b, text);
        else
                strbuf_printf(b, "assertion `%s' failed", text);
}

static long long signed_value(uint64_t v, uint32_t size)
{
        uint32_t shift = size && size < 8 ? 64 - size * 8 : 0;

        return (long long)(v << shift) >> shift;
}

/* What the function had read is in the trace. */
static void say_invariant(struct strbuf *b, const struct trace *t, const struct wire_failure *f, struct symbols *s)
{
        bool final = f->status >= WIRE_MAX_WATCHED;
        const char *name = s ? symbols_function(s, f->addr) : NULL;
        char object[160];
        uint32_t said = 0;

        if (name)
                strbuf_printf(b, "`%s'", name);
        else
                strbuf_printf(b, "function 0x%llx", (unsigned long long)f->addr);
        strbuf_puts(b, final ? " does not hold at the end" : " does not hold");
        for (uint32_t i = f->event; i < t->n_events && t->events[i].op == OP_LOOK; i++) {
                const struct wire_event *e = &t->events[i];
                if (e->size > 8)
                        continue;
                if (said == 8) {
                        strbuf_puts(b, ", ...");
                        break;
                }
                finding_object(object, sizeof(object), s, OP_READ, e->obj);
                strbuf_printf(b, "%s%s = %lld", said++ ? ", " : ": ", object, signed_value(e->value, e->size));
        }
}

/* What was misused, how, and where the other half happened. */
static void say_misuse(struct strbuf *b, const struct wire_failure *f, struct symbols *s)
{
        const struct symbols_frame *frames;
        char object[160];
        uint32_t n = f->other && s ? symbols_frames(s, f->other, &frames) : 0;

        if (!f->addr) { /* of libc's own: the text says it all */
                strbuf_puts(b, f->text);
                return;
        }
        finding_name(object, sizeof(object), s, f->status, f->addr);
        strbuf_printf(b, "%s was %s", object, f->text);
        if (!f->other || f->other_actor == WIRE_NO_ACTOR)
                return;
        strbuf_printf(b, "; before: %s by T%u", op_name(f->other_op), f->other_actor);
        for (uint32_t i = 0; i < n; i++) {
                const char *base = frames[i].file ? strrchr(frames[i].file, '/') : NULL;
                if (!frames[i].line)
                        continue;
                strbuf_printf(b, " at %s:%u", base ? base + 1 : frames[i].file, frames[i].line);
                break;
        }
}

/* Two threads, and what each does to which memory. */
static void say_race(struct strbuf *b, const struct wire_failure *f, struct symbols *s)
{
        const struct symbols_frame *frames;
        char object[160];
        uint32_t n = s ? symbols_frames(s, f->other, &frames) : 0;

        finding_name(object, sizeof(object), s, OP_OBJ_MEMORY, f->addr);
        strbuf_printf(b, "%s: %s by T%u and %s by T%u", object, race_kind_name(f->signal), f->actor,
                      race_kind_name(f->status), f->other_actor);
        for (uint32_t i = 0; i < n; i++) {
                const char *base = frames[i].file ? strrchr(frames[i].file, '/') : NULL;
                if (!frames[i].line)
                        continue;
                strbuf_printf(b, " at %s:%u", base ? base + 1 : frames[i].file, frames[i].line);
                break;
        }
        strbuf_puts(b, ", which nothing orders");
}

static void say_abort(struct strbuf *b, const char *text)
{
        static const char table[] = "typeinfo name for ";

        if (strncmp(text, "_ZTS", 4) == 0) {
                const char *what = strchr(text, '\n');
                char name[WIRE_TEXT];
                snprintf(name, sizeof name, "%.*s", what ? (int)(what - text) : (int)strlen(text), text);
                char *type = symbols_pretty(name);
                bool plain = type && strncmp(type, table, sizeof table - 1) == 0;
                strbuf_printf(b, "uncaught exception %s", plain ? type + sizeof table - 1 : name + 4);
                if (what)
                        strbuf_printf(b, ": %s", what + 1);
                free(type);
                return;
        }
        bool terminated = strcmp(text, "terminate") == 0;
        strbuf_puts(b, terminated ? "std::terminate() was called" : "abort() was called");
        if (text[0] && !terminated && strcmp(text, "abort") != 0)
                strbuf_printf(b, ": %s", text);
}

static void say_failure(struct strbuf *b, const struct trace *t, const struct wire_failure *f, struct symbols *s)
{
        const char *text = f->text;

        switch (f->kind) {
        case WIRE_FAIL_ASSERTION: say_assertion(b, text); break;
        case WIRE_FAIL_CRASH: {
                const char *name = f->signal < 65 ? sigabbrev_np((int)f->signal) : NULL;
                if (name)
                        strbuf_printf(b, "SIG%s", name);
                else
                        strbuf_printf(b, "signal %u", f->signal);
                if ((f->signal == SIGSEGV || f->signal == SIGBUS) && !strstr(text, "sent by"))
                        strbuf_printf(b, " at address 0x%llx", (unsigned long long)f->addr);
                if (text[0])
                        strbuf_printf(b, ": %s", text);
                break;
        }
        case WIRE_FAIL_INVARIANT: say_invariant(b, t, f, s); break;
        case WIRE_FAIL_EXIT_STATUS: strbuf_printf(b, "exit status %u", f->status); break;
        case WIRE_FAIL_TRANSACTION:
        case WIRE_FAIL_STARVED: strbuf_puts(b, text); break;
        case WIRE_FAIL_MISUSE: say_misuse(b, f, s); break;
        case WIRE_FAIL_RACE: say_race(b, f, s); break;
        case WIRE_FAIL_USE_AFTER_FREE:
        case WIRE_FAIL_DOUBLE_FREE:
        case WIRE_FAIL_INVALID_FREE:
        case WIRE_FAIL_OUT_OF_BOUNDS:
        case WIRE_FAIL_LEAK: finding_say_heap(b, f, s); break;
        case WIRE_FAIL_LOOP: strbuf_puts(b, text[0] ? text : "a loop without any visible operation"); break;
        default: say_abort(b, text);
        }
}

static void say_thread(struct strbuf *b, const struct trace *t, uint32_t i, struct symbols *s)
{
        const struct wire_thread *th = &t->threads[i];
        char object[160];
        uint32_t other = waits_for(t, i);

        if (th->state == WIRE_T_SPIN) {
                strbuf_printf(b, "T%u spins in a loop", i);
                return;
        }
        finding_object(object, sizeof(object), s, th->op, th->obj);
        if (th->op == OP_JOIN)
                strbuf_printf(b, "T%u waits for %s to end", i, object);
        else if (th->op == OP_MUTEX_RELOCK && other == WIRE_NO_ACTOR)
                strbuf_printf(b, "T%u waits for a signal", i);
        else
                strbuf_printf(b, "T%u waits for %s", i, object[0] ? object : op_name(th->op));
        if (other != WIRE_NO_ACTOR && th->op != OP_JOIN)
                strbuf_printf(b, other == i ? " which it holds itself" : " held by T%u", other);
}

static void say_stuck(struct strbuf *b, const struct trace *t, struct symbols *s)
{
        uint32_t cycle[WIRE_MAX_THREADS];
        uint32_t n = waits_cycle(t, cycle), said = 0;

        for (uint32_t i = 0; i < (n ? n : t->n_threads); i++) {
                uint32_t thread = n ? cycle[i] : i;
                if (!stuck(&t->threads[thread]))
                        continue;
                if (said == 8) {
                        strbuf_puts(b, ", ...");
                        break;
                }
                strbuf_puts(b, said++ ? ", " : "");
                say_thread(b, t, thread, s);
        }
        if (!said)
                strbuf_puts(b, "all threads are blocked");
}

char *finding_message(enum finding_kind kind, const struct trace *t, uint32_t failure, struct symbols *s)
{
        struct strbuf b = STRBUF_INIT;

        if (failure < t->n_failures)
                say_failure(&b, t, &t->failures[failure], s);
        else if (kind == FINDING_NONDETERMINISM)
                strbuf_printf(&b, "the program did something else when the same schedule was run again, at step %u%s%s",
                              t->step, t->text && t->text[0] ? ": " : "", t->text ? t->text : "");
        else
                say_stuck(&b, t, s);
        return strbuf_take(&b);
}

void finding_focus(const struct finding *f, struct symbols *s)
{
        trace_focus(f->trace, s);
}

void finding_fini(struct finding *f)
{
        free(f->schedule);
        free(f->trace);
        free(f->races);
        free(f->irrelevant);
}
