/*
 * The schedule text, both ways.
 *
 * Invariant: decoding what was encoded gives the same segments and choices.  A segment is a stretch of consecutive
 * entries of one thread; it ends at the position of that thread's last entry in the stretch, and the text holds the
 * distance from the end of the thread's segment before.  The distance may be 0, where one hook call has several
 * transitions (a wait and its relock): a segment always makes at least one transition.  The text comes from users, so
 * every number is bounded before it is used.
 */
#include "trace/schedule.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "op/op.h"
#include "trace/waits.h"

#define PREFIX "h1:"

struct encoder {
        struct strbuf out;
        uint32_t until[WIRE_MAX_THREADS]; /* of each thread's last segment */
        uint32_t n;                       /* segments written */
};

static void put_segment(struct encoder *e, const struct trace *t, uint32_t actor, uint32_t until)
{
        uint32_t before = e->until[actor];

        if (trace_is_buffer(t, actor)) {
                strbuf_printf(&e->out, "%sf%u@%u", e->n++ ? "," : "", t->threads[actor].holder, until);
                return;
        }
        strbuf_printf(&e->out, "%s%ux%u", e->n++ ? "," : "", actor, until > before ? until - before : 0);
        if (until > before)
                e->until[actor] = until;
}

/* Was it an answer of the schedule?  In entries about threads `choice` only names one. */
static bool is_choice(const struct wire_event *e)
{
        if (op_has(e->op, OPF_NAMES_THREAD | OPF_FLUSHES) || (e->weak & WIRE_WEAK_BUFFERED))
                return false;
        if (e->op == OP_SIGNAL_POINT) /* where none arrives is not said: it depends on what is known to be shared */
                return e->mode == WIRE_MODE_WRITE;
        return e->op == OP_CHOOSE || e->choice != 0 || e->next_choice != WIRE_NO_CHOICE;
}

/* The check digits: 16 bits (FNV-1a, folded) of the fingerprint and of all that follows it.  They are in front, so that
 * a text that was cut still has them. */
static uint32_t check_of(uint32_t fingerprint, const char *rest)
{
        uint32_t h = UINT32_C(0x811c9dc5);

        for (int i = 0; i < 3; i++)
                h = (h ^ (fingerprint >> 8 * i & 0xff)) * UINT32_C(0x1000193);
        for (; *rest; rest++)
                h = (h ^ (unsigned char)*rest) * UINT32_C(0x1000193);
        return (h ^ h >> 16) & 0xffff;
}

static const char *const memories[] = {[WIRE_MEMORY_TSO] = "tso", [WIRE_MEMORY_PSO] = "pso"};
static const char posix[] = "+posix", of[] = "of";

/* Puts the fingerprint before what follows it; takes `rest`. */
static char *with_fingerprint(uint32_t fingerprint, char *rest)
{
        struct strbuf out = STRBUF_INIT;

        if (!rest)
                return NULL;
        strbuf_printf(&out, PREFIX "%06x.%04x:%s", fingerprint & 0xffffffu, check_of(fingerprint, rest), rest);
        free(rest);
        return strbuf_take(&out);
}

/* The last entry of each thread, or nothing where it has none. */
static void find_last(const struct trace *t, uint32_t *last)
{
        for (uint32_t i = 0; i < t->n_events; i++)
                last[t->events[i].actor] = i;
}

/* The parents of threads, where this execution does not create them in the order of their numbers: those depend on the executions
 * before it.  A parent's children have their numbers in order. */
static void put_parents(struct encoder *e, const struct trace *t)
{
        uint32_t n = 0, most = 0;
        bool in_order = true;

        for (uint32_t i = 0; i < t->n_events; i++)
                if (t->events[i].op == OP_CREATE) {
                        in_order &= t->events[i].choice == ++n;
                        most = t->events[i].choice > most ? t->events[i].choice : most;
                }
        for (uint32_t i = 1; !in_order && i <= most && i < t->n_names; i++)
                strbuf_printf(&e->out, "%s%u", i > 1 ? "." : of, t->names[i].parent);
        if (!in_order)
                strbuf_printf(&e->out, ",");
}

char *schedule_encode(const struct trace *t, uint32_t n_events, uint32_t last, const struct schedule_head *head)
{
        struct encoder e = {.out = STRBUF_INIT};
        uint32_t actor = WIRE_NO_ACTOR, until = 0;
        uint32_t last_of[WIRE_MAX_THREADS] = {0};

        find_last(t, last_of);
        if (head->memory != WIRE_MEMORY_SC)
                strbuf_printf(&e.out, "%s%s,", memories[head->memory], head->posix_fences ? posix : "");
        put_parents(&e, t);
        if (n_events > t->n_events)
                n_events = t->n_events;
        for (uint32_t i = 0; i < n_events; i++) {
                const struct wire_event *ev = &t->events[i];
                if (ev->actor != actor) {
                        if (actor != WIRE_NO_ACTOR)
                                put_segment(&e, t, actor, until);
                        actor = ev->actor;
                        until = 0;
                }
                if (ev->pos > until)
                        until = ev->pos;
                /* What no other thread can tell, after its last entry, belongs to the same stretch. */
                if (i == last_of[actor] && t->threads[actor].state == WIRE_T_DONE && t->threads[actor].pos > until)
                        until = t->threads[actor].pos;
        }
        /* The last stretch of the thread that runs to its end needs no count. */
        if (actor != WIRE_NO_ACTOR && actor != last)
                put_segment(&e, t, actor, until);
        if (last != WIRE_NO_ACTOR)
                strbuf_printf(&e.out, "%s%u!", e.n++ ? "," : "", last);
        if (!e.n)
                put_segment(&e, t, 0, 0);
        if (last == WIRE_NO_ACTOR && head->fails)
                strbuf_printf(&e.out, ",!");
        char separator = ':';
        for (uint32_t i = 0; i < n_events; i++) {
                if (is_choice(&t->events[i])) {
                        strbuf_printf(&e.out, "%c%u", separator, t->events[i].choice);
                        if (t->events[i].op == OP_SIGNAL_POINT)
                                strbuf_printf(&e.out, "@%u@%u", t->events[i].actor, t->events[i].pos);
                        separator = '.';
                }
        }
        return with_fingerprint(head->fingerprint, strbuf_take(&e.out));
}

bool schedule_is_text(const char *text)
{
        return text[0] == 'h' && text[1] >= '0' && text[1] <= '9' && strchr(text, ':') != NULL &&
               strspn(text + 1, "0123456789") == (size_t)(strchr(text, ':') - text - 1);
}

struct decoder {
        const char *text, *at;
        struct error *why;
        struct schedule_text *out;
        uint32_t until[WIRE_MAX_THREADS]; /* WIRE_TO_END: no more segments may follow */
        uint32_t segment_room, choice_room;
        bool checked; /* it has check digits: */
        uint32_t check;
        const char *rest; /* what follows the head */
};

__attribute__((format(printf, 2, 3))) static int fail(struct decoder *d, const char *format, ...)
{
        char where[40];
        va_list ap;

        snprintf(where, sizeof where, "character %zu: ", (size_t)(d->at - d->text) + 1);
        va_start(ap, format);
        error_set_at(d->why, -1, where, format, ap);
        va_end(ap);
        return -1;
}

/* What is at the present place, for messages. */
static int unexpected(struct decoder *d, const char *wanted)
{
        unsigned char c = (unsigned char)*d->at;

        if (!c)
                return fail(d, "the text ends before %s; was it cut?", wanted);
        if (c > ' ' && c < 0x7f)
                return fail(d, "found `%c', expected %s", c, wanted);
        return fail(d, "found the character 0x%02x, expected %s", c, wanted);
}

static int number(struct decoder *d, uint32_t limit, const char *what, uint32_t *out)
{
        const char *p = d->at;
        uint64_t n = 0;

        if (*p < '0' || *p > '9')
                return unexpected(d, what);
        for (; *p >= '0' && *p <= '9'; p++) {
                n = n * 10 + (uint64_t)(*p - '0');
                if (n >= limit)
                        return fail(d, "%s is out of range: it must be below %u", what, limit);
        }
        d->at = p;
        *out = (uint32_t)n;
        return 0;
}

static int hexadecimal(struct decoder *d, int n, const char *what, uint32_t *out)
{
        static const char digits[] = "0123456789abcdef";

        *out = 0;
        for (; n > 0; n--, d->at++) {
                const char *digit = *d->at ? strchr(digits, *d->at) : NULL;
                if (!digit)
                        return unexpected(d, what);
                *out = *out << 4 | (uint32_t)(digit - digits);
        }
        return 0;
}

static int head(struct decoder *d)
{
        if (strncmp(d->text, PREFIX, strlen(PREFIX)) != 0) {
                if (schedule_is_text(d->text))
                        return fail(d, "unknown version %.*s; this heddle reads h1", (int)strcspn(d->text, ":"),
                                    d->text);
                return fail(d, "a schedule begins with `" PREFIX "'");
        }
        d->at += strlen(PREFIX);
        if (hexadecimal(d, 6, "one of the 6 hexadecimal digits of the fingerprint", &d->out->head.fingerprint))
                return -1;
        if (*d->at == '.') {
                d->at++;
                d->checked = d->out->head.checked = true;
                if (hexadecimal(d, 4, "one of the 4 check digits", &d->check))
                        return -1;
        }
        if (*d->at != ':')
                return unexpected(d, "`:' after the fingerprint");
        d->rest = ++d->at;
        return 0;
}

/* "tso,", "pso+posix,", or nothing. */
static int memory(struct decoder *d)
{
        struct schedule_head *h = &d->out->head;

        if (*d->at != 't' && *d->at != 'p')
                return 0;
        for (h->memory = WIRE_MEMORY_TSO; strncmp(d->at, memories[h->memory], 3) != 0; h->memory++)
                if (h->memory == WIRE_MEMORY_PSO)
                        return unexpected(d, "`tso', `pso' or the number of a thread");
        d->at += 3;
        h->posix_fences = strncmp(d->at, posix, strlen(posix)) == 0;
        d->at += h->posix_fences ? strlen(posix) : 0;
        if (*d->at != ',')
                return unexpected(d, "`,' after the memory model");
        d->at++;
        return 0;
}

/* "of0.1.0,": the parents of threads 1, 2 and 3, or nothing. */
static int parents(struct decoder *d)
{
        struct schedule_text *s = d->out;
        uint16_t children[WIRE_MAX_THREADS] = {0};
        uint32_t parent;

        if (strncmp(d->at, of, strlen(of)) != 0)
                return 0;
        d->at += strlen(of) - 1;
        s->n_names = 1;
        do {
                d->at++;
                if (number(d, s->n_names, "the number of an earlier thread", &parent))
                        return -1;
                if (s->n_names == WIRE_MAX_THREADS)
                        return fail(d, "more than %u threads", WIRE_MAX_THREADS);
                s->names[s->n_names++] = (struct wire_name){.parent = (uint16_t)parent, .nth = ++children[parent]};
        } while (*d->at == '.');
        if (*d->at != ',')
                return unexpected(d, "`,' after the parents of threads");
        d->at++;
        return 0;
}

/* Room for one more element of an array; false: out of memory. */
static bool grow(void **array, uint32_t n, uint32_t *room, size_t size)
{
        if (n < *room)
                return true;
        uint32_t more = *room ? *room * 2 : 16;
        void *p = realloc(*array, more * size);
        if (!p)
                return false;
        *array = p;
        *room = more;
        return true;
}

static int add_segment(struct decoder *d, uint32_t actor, uint32_t until)
{
        struct schedule_text *s = d->out;

        if (s->n_segments == WIRE_MAX_SEGMENTS)
                return fail(d, "more than %u segments", WIRE_MAX_SEGMENTS);
        void *array = s->segments;
        if (!grow(&array, s->n_segments, &d->segment_room, sizeof(*s->segments)))
                return fail(d, "out of memory");
        s->segments = array;
        s->segments[s->n_segments++] = (struct wire_segment){actor, until};
        return 0;
}

/* "f1@12": the stores of thread 1 up to its hook call 12 reach memory. */
static int flush(struct decoder *d)
{
        uint32_t actor, until;

        d->at++;
        if (number(d, WIRE_MAX_THREADS, "the number of a thread", &actor))
                return -1;
        if (*d->at != '@')
                return unexpected(d, "`@' and the hook call of a store");
        d->at++;
        if (number(d, WIRE_TO_END, "the hook call of a store", &until))
                return -1;
        return add_segment(d, actor | WIRE_FLUSH, until);
}

static int segment(struct decoder *d)
{
        const char *start = d->at;
        uint32_t actor, count, until = WIRE_TO_END;

        if (*d->at == 'f')
                return flush(d);
        if (number(d, WIRE_MAX_THREADS, "the number of a thread", &actor))
                return -1;
        if (*d->at != 'x' && *d->at != '!')
                return unexpected(d, "`x' and a count, or `!'");
        if (*d->at++ == 'x') {
                if (d->until[actor] == WIRE_TO_END) {
                        d->at = start;
                        return fail(d, "thread %u has already run to its end", actor);
                }
                if (number(d, WIRE_TO_END - d->until[actor], "the count of a segment", &count))
                        return -1;
                until = d->until[actor] + count;
        } else {
                d->out->head.fails = true;
        }
        d->until[actor] = until;
        return add_segment(d, actor, until);
}

static int add_choice(struct decoder *d, uint32_t n)
{
        struct schedule_text *s = d->out;

        if (s->n_choices == WIRE_MAX_SEGMENTS)
                return fail(d, "more than %u choices", WIRE_MAX_SEGMENTS);
        void *array = s->choices;
        if (!grow(&array, s->n_choices, &d->choice_room, sizeof(*s->choices)))
                return fail(d, "out of memory");
        s->choices = array;
        s->choices[s->n_choices++] = n;
        return 0;
}

/* N, or of a signal N@THREAD@POSITION. */
static int choice(struct decoder *d)
{
        uint32_t n, actor, position;

        if (number(d, WIRE_CHOICE_SIGNAL, "a choice", &n))
                return -1;
        if (*d->at != '@')
                return add_choice(d, n);
        d->at++;
        if (number(d, WIRE_MAX_THREADS, "a thread", &actor))
                return -1;
        if (*d->at++ != '@' || number(d, WIRE_TO_END, "a position", &position))
                return fail(d, "a signal has no position");
        return add_choice(d, n | WIRE_CHOICE_SIGNAL) || add_choice(d, actor) || add_choice(d, position) ? -1 : 0;
}

static int body(struct decoder *d)
{
        if (head(d) || memory(d) || parents(d) || segment(d))
                return -1;
        while (*d->at == ',' && d->at[1] != '!') {
                d->at++;
                if (segment(d))
                        return -1;
        }
        if (*d->at == ',') {
                d->at += 2;
                d->out->head.fails = true;
        }
        if (*d->at == ':') {
                do {
                        d->at++;
                        if (choice(d))
                                return -1;
                } while (*d->at == '.');
                return *d->at ? unexpected(d, "`.' or the end") : 0;
        }
        return *d->at ? unexpected(d, "`,', `:' or the end") : 0;
}

int schedule_decode(struct schedule_text *out, const char *text, struct error *why)
{
        struct schedule_text s = {0};
        struct decoder d = {.text = text, .at = text, .why = why, .out = &s};

        bool wrong = body(&d) != 0;
        if (!wrong && d.checked && d.check != check_of(s.head.fingerprint, d.rest)) {
                error_set(why, -1, "the check digits %04x do not fit: it was cut or mistyped; copy it whole", d.check);
                wrong = true;
        }
        if (wrong) {
                schedule_fini(&s);
                return -1;
        }
        *out = s;
        return 0;
}

void schedule_fini(struct schedule_text *s)
{
        free(s->segments);
        free(s->choices);
        *s = (struct schedule_text){0};
}

/* Of one thread, while a trace is read backwards. */
struct ahead {
        uint32_t next;  /* its first entry after the present one */
        uint32_t after; /* ... and after the turn `turn` */
        uint32_t turn;
};

static void ahead_pass(struct ahead *a, uint32_t i, uint32_t turn)
{
        if (a->turn != turn)
                *a = (struct ahead){.after = a->next, .turn = turn};
        a->next = i;
}

/* The main thread runs before anything is decided: is it preempted at the first turn? */
static bool first_preempted(const struct trace *t, const struct ahead *a, uint32_t first, uint32_t end, bool *marks)
{
        uint32_t last = first;

        if (first >= end || t->events[first].actor == 0)
                return false;
        while (last > 0 && t->events[last].actor != 0)
                last--;
        bool preempted = waits_at_switch(t, 0, first, a->turn == first ? a->after : a->next).could_run;
        if (marks && t->events[last].actor == 0)
                marks[last] = preempted;
        return preempted;
}

uint32_t schedule_preemptions(const struct trace *t, uint32_t failure, bool *marks)
{
        struct ahead ahead[WIRE_MAX_THREADS];
        bool fails = failure < t->n_failures && t->failures[failure].event <= t->n_events;
        uint32_t n = 0, end = fails ? t->failures[failure].event : t->n_events, later = end;

        for (uint32_t i = 0; i < t->n_threads; i++)
                ahead[i] = (struct ahead){t->n_events, t->n_events, t->n_events};
        /* Backwards, so that what a thread did next is known when it is switched away from; `later` is the entry with
         * the turn that follows entry i. */
        for (uint32_t i = t->n_events; i-- > 0;) {
                const struct wire_event *e = &t->events[i];
                if (marks)
                        marks[i] = false;
                if (trace_is_buffer(t, e->actor))
                        continue;
                struct ahead *a = &ahead[e->actor];
                if (trace_is_turn(e) && i < end) {
                        uint32_t next = a->turn == later ? a->after : a->next;
                        bool preempted = later < end && t->events[later].actor != e->actor &&
                                         waits_at_switch(t, e->actor, later, next).could_run;
                        if (marks)
                                marks[i] = preempted;
                        n += preempted;
                        later = i;
                }
                ahead_pass(a, i, later);
        }
        return n + first_preempted(t, &ahead[0], later, end, marks);
}
