/*
 * Trace files, read: lines of words, strings with %XX for what is not a plain character, numbers in hexadecimal.
 *
 * Invariant: a file that is read was checked as strictly as what a target writes (trace_validate), and its last line
 * says how many entries it holds, so one that was cut is noticed.  Operations are written by name: their numbers
 * belong to one version of heddle.
 */
#include "trace/trace_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "op/op.h"
#include "trace/trace_file_finding.h"
#include "trace/trace_file_names.h"
#include "trace/heap.h"
#include "binary/symbols.h"

#define NOT_SAID (UINT32_MAX - 1) /* there was no `which` */
#define MAX_ARGS 4096u

struct reader {
        struct words w;
        struct trace_file_info info;
        uint32_t n_args, n_options;
        uint32_t n_operations;
        struct trace t;
        struct wire_event *events;
        struct wire_thread *threads;
        struct wire_failure *failures;
        struct wire_module *modules;
        struct wire_name *names;
        struct wire_frame *frames;
        uint32_t *stacks;
        uint32_t stack; /* of the event that follows */
        char text[WIRE_TEXT];
        bool done;
};

static int get_string(struct reader *r, char **out)
{
        const char *s = words_text(&r->w);

        if (!s)
                return -1;
        if (*out)
                return words_fail(&r->w, "a line that may occur only once");
        *out = strdup(s);
        return *out ? 0 : words_fail(&r->w, "out of memory");
}

static int get_op(struct reader *r, uint32_t *out)
{
        char *w = words_next(&r->w);

        if (strncmp(w, "user.", 5) == 0) {
                *out = OP_USER + (uint32_t)strtoul(w + 5, NULL, 16);
                return *out - OP_USER < r->n_operations ? 0 : words_fail(&r->w, "an operation without a name");
        }
        for (char *p = w; *p; p++)
                if (*p == '_')
                        *p = ' ';
        for (uint32_t op = 0; op < OP_COUNT; op++) {
                if (strcmp(op_name(op), w) == 0) {
                        *out = op;
                        return 0;
                }
        }
        return words_fail(&r->w, "unknown operation `%.40s'", w);
}

static int get_stack(struct reader *r, uint64_t *stack, uint32_t *n)
{
        uint64_t count;

        if (words_number(&r->w, WIRE_MAX_STACK, &count))
                return -1;
        for (uint32_t i = 0; i < count; i++)
                if (words_u64(&r->w, &stack[i]))
                        return -1;
        *n = (uint32_t)count;
        return 0;
}

/* The array with room for one more of at most `max`, zeroed; NULL: too many, or out of memory. */
static void *grow(struct reader *r, void *array, uint32_t n, uint32_t max, size_t size)
{
        if (n >= max) {
                words_fail(&r->w, "too many of these lines");
                return NULL;
        }
        /* It is full exactly at powers of two. */
        if ((n & (n - 1)) == 0)
                array = realloc(array, (n ? (size_t)n * 2 : 1) * size);
        if (!array) {
                words_fail(&r->w, "out of memory");
                return NULL;
        }
        memset((char *)array + (size_t)n * size, 0, size);
        return array;
}

/* One more string of a list that ends with NULL. */
static int get_word(struct reader *r, char ***list, uint32_t *n)
{
        const char *s = words_text(&r->w);

        if (!s)
                return -1;
        if (*n == MAX_ARGS)
                return words_fail(&r->w, "too many arguments");
        char **words = realloc(*list, (*n + 2) * sizeof(*words));
        if (!words)
                return words_fail(&r->w, "out of memory");
        *list = words;
        words[*n] = strdup(s);
        words[*n + 1] = NULL;
        return words[(*n)++] ? 0 : words_fail(&r->w, "out of memory");
}

static int get_module(struct reader *r)
{
        struct wire_module *all = grow(r, r->modules, r->t.n_modules, WIRE_MAX_MODULES, sizeof(*all));

        if (!all)
                return -1;
        r->modules = all;
        struct wire_module *m = &all[r->t.n_modules];
        if (words_u64(&r->w, &m->base) || words_copy(&r->w, m->path, sizeof(m->path)))
                return -1;
        r->t.n_modules++;
        return 0;
}

static int get_name(struct reader *r)
{
        struct wire_name *all = grow(r, r->names, r->t.n_names, WIRE_MAX_THREADS, sizeof(*all));
        uint64_t parent;

        if (!all)
                return -1;
        r->names = all;
        struct wire_name *m = &all[r->t.n_names];
        if (words_number(&r->w, UINT16_MAX, &parent) || words_u32(&r->w, &m->nth))
                return -1;
        m->parent = (uint16_t)parent;
        r->t.n_names++;
        return 0;
}

static int get_thread(struct reader *r)
{
        struct wire_thread *all = grow(r, r->threads, r->t.n_threads, WIRE_MAX_THREADS, sizeof(*all));

        if (!all)
                return -1;
        r->threads = all;
        struct wire_thread *m = &all[r->t.n_threads];
        if (words_u32(&r->w, &m->state) || get_op(r, &m->op) || words_u64(&r->w, &m->obj) ||
            words_u64(&r->w, &m->site) || words_u32(&r->w, &m->pos) || words_u32(&r->w, &m->holder) ||
            words_u32(&r->w, &m->transitions) || words_u64(&r->w, &m->start) ||
            words_copy(&r->w, m->name, sizeof(m->name)) || get_stack(r, m->stack, &m->n_stack))
                return -1;
        r->t.n_threads++;
        return 0;
}

static int get_failure(struct reader *r)
{
        struct wire_failure *all = grow(r, r->failures, r->t.n_failures, WIRE_MAX_FAILURES, sizeof(*all));

        if (!all)
                return -1;
        r->failures = all;
        struct wire_failure *m = &all[r->t.n_failures];
        if (words_u32(&r->w, &m->kind) || words_u32(&r->w, &m->actor) || words_u32(&r->w, &m->signal) ||
            words_u32(&r->w, &m->status) || words_u64(&r->w, &m->addr) || words_u64(&r->w, &m->site) ||
            words_u32(&r->w, &m->event) || words_u64(&r->w, &m->other) || words_u32(&r->w, &m->other_actor) ||
            words_u32(&r->w, &m->other_op) || words_copy(&r->w, m->text, sizeof(m->text)) ||
            get_stack(r, m->stack, &m->n_stack))
                return -1;
        r->t.n_failures++;
        return 0;
}

/* Frame 0 is not written. */
static int get_frame(struct reader *r)
{
        uint32_t n = r->t.n_frames ? r->t.n_frames : 1;
        struct wire_frame *all = r->frames;

        if (!r->t.n_frames && (r->frames = all = grow(r, NULL, 0, 1, sizeof(*all))) == NULL)
                return -1;
        r->t.n_frames = n;
        all = grow(r, all, n, WIRE_MAX_FRAMES, sizeof(*all));
        if (!all)
                return -1;
        r->frames = all;
        if (words_u32(&r->w, &all[n].parent) || words_u64(&r->w, &all[n].site))
                return -1;
        r->t.n_frames = n + 1;
        return 0;
}

static int add_stack(struct reader *r)
{
        uint32_t *all = grow(r, r->stacks, r->t.n_events, WIRE_MAX_EVENTS, sizeof(*all));

        if (!all)
                return -1;
        r->stacks = all;
        all[r->t.n_events] = r->stack;
        r->stack = 0;
        return 0;
}

static int get_event(struct reader *r)
{
        struct wire_event *all = grow(r, r->events, r->t.n_events, WIRE_MAX_EVENTS, sizeof(*all));
        uint64_t actor, flags;
        uint32_t op, mode;

        if (!all)
                return -1;
        r->events = all;
        if (add_stack(r))
                return -1;
        struct wire_event *m = &all[r->t.n_events];
        if (words_number(&r->w, UINT16_MAX, &actor) || get_op(r, &op) || words_number(&r->w, UINT8_MAX, &flags) ||
            words_u32(&r->w, &m->size) || words_u64(&r->w, &m->obj) || words_u64(&r->w, &m->value) ||
            words_u64(&r->w, &m->site) || words_u32(&r->w, &m->pos) || words_u32(&r->w, &m->choice) ||
            words_u32(&r->w, &m->next_choice) || words_u32(&r->w, &mode))
                return -1;
        m->actor = (uint16_t)actor;
        m->op = (uint8_t)op;
        m->flags = (uint8_t)flags;
        m->mode = (uint16_t)mode;
        m->weak = (uint16_t)(mode >> 16);
        r->t.n_events++;
        r->t.n_transitions += m->flags & WIRE_EV_SCHED;
        return 0;
}

static int get_end(struct reader *r)
{
        uint32_t status;

        if (words_u32(&r->w, &r->t.end) || words_u32(&r->w, &r->t.step) || words_u32(&r->w, &status))
                return -1;
        r->t.exit_status = (int32_t)status;
        return 0;
}

static int get_done(struct reader *r)
{
        uint32_t n;

        if (words_u32(&r->w, &n))
                return -1;
        if (n != r->t.n_events)
                return words_fail(&r->w, "%u entries where there should be %u", r->t.n_events, n);
        r->done = true;
        return 0;
}

/* The next operation of a plugin.  Its name belongs to the process: there is one trace file in it. */
static int get_operation(struct reader *r)
{
        char *name = NULL;

        if (get_string(r, &name))
                return -1;
        if (!op_user_name_only(OP_USER + r->n_operations, name)) {
                free(name);
                return words_fail(&r->w, "too many operations of plugins");
        }
        r->n_operations++;
        return 0;
}

static int get_line(struct reader *r)
{
        const char *key = words_next(&r->w);

        if (strcmp(key, "event") == 0)
                return get_event(r);
        if (strcmp(key, "stack") == 0)
                return words_u32(&r->w, &r->stack);
        if (strcmp(key, "frame") == 0)
                return get_frame(r);
        if (strcmp(key, "program") == 0)
                return get_string(r, &r->info.program);
        if (strcmp(key, "arg") == 0)
                return get_word(r, &r->info.argv, &r->n_args);
        if (strcmp(key, "option") == 0)
                return get_word(r, &r->info.options, &r->n_options);
        if (strcmp(key, "schedule") == 0)
                return get_string(r, &r->info.schedule);
        if (strcmp(key, "fingerprint") == 0)
                return words_u32(&r->w, &r->info.fingerprint);
        if (strcmp(key, "end") == 0)
                return get_end(r);
        if (strcmp(key, "text") == 0)
                return words_copy(&r->w, r->text, sizeof(r->text));
        if (strcmp(key, "operation") == 0)
                return get_operation(r);
        if (strcmp(key, "module") == 0)
                return get_module(r);
        if (strcmp(key, "name") == 0)
                return get_name(r);
        if (strcmp(key, "thread") == 0)
                return get_thread(r);
        if (strcmp(key, "failure") == 0)
                return get_failure(r);
        if (strcmp(key, "block") == 0)
                return r->t.n_failures ? heap_get_block(&r->w, &r->failures[r->t.n_failures - 1].block)
                                       : words_fail(&r->w, "a block of no failure");
        if (strcmp(key, "done") == 0)
                return get_done(r);
        int taken = filenames_read(&r->w, key, r->info.symbols);
        if (!taken)
                taken = filefinding_read(&r->w, key, &r->info);
        if (taken)
                return taken > 0 ? 0 : -1;
        return words_fail(&r->w, "unknown line `%.20s'", key);
}

static int read_all(struct reader *r)
{
        int more_lines = words_line(&r->w);

        if (more_lines <= 0 || strcmp(words_next(&r->w), TRACE_FILE_MAGIC) != 0)
                return words_fail(&r->w, "this is not a trace file");
        const char *version = words_next(&r->w);
        if (strcmp(version, "1") != 0)
                return words_fail(&r->w, "unknown version %.20s; this heddle reads version %u", version,
                                  TRACE_FILE_VERSION);
        while (!r->done && (more_lines = words_line(&r->w)) > 0) {
                if (get_line(r))
                        return -1;
                if (*r->w.at)
                        return words_fail(&r->w, "unexpected `%.20s'", r->w.at);
        }
        if (more_lines < 0)
                return -1;
        return r->done ? 0 : words_fail(&r->w, "the file ends early; was it cut?");
}

int trace_file_read(FILE *f, struct trace **t, struct trace_file_info *info, struct error *why)
{
        struct reader r = {.w = {.f = f, .name = "trace file", .why = why}};
        const char *reason = NULL;

        r.info.failure = NOT_SAID;
        r.info.symbols = symbols_create(NULL, 0);
        int result = r.info.symbols ? read_all(&r) : words_fail(&r.w, "out of memory");

        if (result == 0) {
                r.t.events = r.events;
                r.t.threads = r.threads;
                r.t.failures = r.failures;
                r.t.modules = r.modules;
                r.t.names = r.names;
                r.t.frames = r.frames;
                r.t.stacks = r.stacks;
                r.t.text = r.text;
                r.t.symbols = r.info.symbols;
                if (r.info.failure == NOT_SAID)
                        r.info.failure = r.t.n_failures ? 0 : UINT32_MAX;
                struct trace *copy = NULL;
                if (trace_validate(&r.t, 0, &reason))
                        result = words_fail(&r.w, "the trace is malformed: %s", reason);
                else if (!filefinding_fits(&r.info, &r.t))
                        result = words_fail(&r.w, "the failure does not match the trace");
                else if (!(copy = trace_copy(&r.t)))
                        result = words_fail(&r.w, "out of memory");
                else
                        *t = copy;
        }
        if (result == 0)
                *info = r.info;
        else
                trace_file_info_fini(&r.info);
        words_fini(&r.w);
        free(r.events);
        free(r.threads);
        free(r.failures);
        free(r.modules);
        free(r.names);
        free(r.frames);
        free(r.stacks);
        return result;
}

bool trace_file_is(const char *path)
{
        char head[sizeof(TRACE_FILE_MAGIC)] = "";
        FILE *f = fopen(path, "re");

        if (!f)
                return false;
        bool is = fread(head, 1, sizeof(TRACE_FILE_MAGIC) - 1, f) == sizeof(TRACE_FILE_MAGIC) - 1 &&
                  strcmp(head, TRACE_FILE_MAGIC) == 0;
        fclose(f);
        return is;
}
