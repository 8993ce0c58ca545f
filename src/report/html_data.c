/*
 * From a trace to what the page draws.
 *
 * An entry is an array: [thread, operation, object, granule, value, place, flags, mode, stack, locks], numbers of tables where
 * something is named, -1 for none.  With weak memory there are four more: the entry in words, 1 if it is not of interest, and the two
 * other entries of struct delay (pair, past), -1 for none.  A granule stands for 8 bytes of memory: entries with the same one touch each other.
 * A place is [function, file, line, next place outwards that it is inlined into].  Source files are whole in the page,
 * up to a limit.
 */
#include "report/html_data.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "op/op.h"
#include "report/wording.h"
#include "report/step.h"
#include "report/explanation.h"
#include "report/timeline.h"
#include "trace/locks_held.h"
#include "trace/waits.h"
#include "trace/transaction.h"

#define MAX_SOURCE (2u << 20) /* bytes of one file */
#define NONE       UINT32_MAX

/* Tables. */

static uint64_t hash_text(const char *text)
{
        uint64_t h = UINT64_C(0xcbf29ce484222325);

        for (; *text; text++)
                h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
        return h;
}

/* The position of a key; a new one gets `row`, which is taken over either way. */
static uint32_t table_put(struct scene *s, struct scene_table *t, uint64_t key, char *row)
{
        uintptr_t at = (uintptr_t)ptrmap_find(&t->index, key);

        if (at) {
                free(row);
                return (uint32_t)(at - 1);
        }
        if (!row || !vec_reserve(&t->rows, 1) || ptrmap_insert(&t->index, key, (void *)((uintptr_t)t->rows.n + 1))) {
                s->failed = true;
                free(row);
                return 0;
        }
        *vec_push(&t->rows) = row;
        return t->rows.n - 1;
}

static bool table_has(const struct scene_table *t, uint64_t key, uint32_t *at)
{
        uintptr_t found = (uintptr_t)ptrmap_find(&t->index, key);

        *at = (uint32_t)(found - 1);
        return found != 0;
}

static void table_write(struct scene *s, const char *name, struct scene_table *t)
{
        fprintf(s->f, ",\n\"%s\":[", name);
        for (uint32_t i = 0; i < t->rows.n; i++) {
                fprintf(s->f, "%s%s", i ? "," : "", t->rows.at[i]);
                free(t->rows.at[i]);
        }
        fputc(']', s->f);
        vec_fini(&t->rows);
        ptrmap_fini(&t->index, NULL);
}

static char *as_json(const char *text)
{
        char *out = NULL;
        size_t size;
        FILE *f = open_memstream(&out, &size);

        if (!f)
                return NULL;
        json_string(f, text);
        fclose(f);
        return out;
}

static uint32_t text_number(struct scene *s, struct scene_table *t, const char *text)
{
        uint64_t key = hash_text(text);
        uint32_t at;

        return table_has(t, key, &at) ? at : table_put(s, t, key, as_json(text));
}

static int file_number(struct scene *s, const char *path)
{
        uint32_t before = s->files.rows.n, at;

        if (!path)
                return -1;
        at = text_number(s, &s->files, path);
        if (s->files.rows.n > before) {
                if (vec_reserve(&s->paths, 1))
                        *vec_push(&s->paths) = path;
                else
                        s->failed = true;
        }
        return (int)at;
}

/* A frame and those it is inlined into, as one chain of rows; the first one's number. */
static uint32_t place_number(struct scene *s, uint64_t site)
{
        const struct symbols_frame *frames;
        uint32_t at, next = NONE;

        if (table_has(&s->places, site, &at))
                return at;
        for (uint32_t i = symbols_frames(s->symbols, site, &frames); i-- > 0;) {
                char name[256];
                char *function = as_json(phrase_function(name, sizeof name, frames[i].function)), *row = NULL;
                bool own = frames[i].runtime; /* of no interest, and its source does not belong in the page */
                int file = own ? -1 : file_number(s, frames[i].file);
                if (function &&
                    asprintf(&row, "[%s,%d,%u,%d,%d]", function, file, own ? 0 : frames[i].line, (int)next, own) < 0)
                        row = NULL;
                free(function);
                /* Outer frames of an inlined call have no site of their own. */
                next = table_put(s, &s->places, i ? site ^ (uint64_t)i << 56 : site, row);
        }
        return next;
}

static uint32_t object_number(struct scene *s, uint32_t op, uint64_t obj)
{
        char buf[160];
        uint32_t at;

        if (table_has(&s->objects, obj, &at))
                return at;
        return table_put(s, &s->objects, obj, as_json(finding_object(buf, sizeof(buf), s->symbols, op, obj)));
}

/* Entries. */

static void put_locks(struct scene *s, const struct held *held, uint32_t actor)
{
        const char *comma = "";

        fputc('[', s->f);
        for (uint32_t i = 0; i < held->locks.n; i++) {
                const struct held_lock *l = &held->locks.at[i];
                if (l->actor != actor)
                        continue;
                fprintf(s->f, "%s%u", comma, object_number(s, l->op, l->obj));
                comma = ",";
        }
        fputc(']', s->f);
}

static void put_value(struct scene *s, const struct wire_event *e)
{
        char buf[160];

        if (e->weak & WIRE_WEAK_UNSAID)
                fputs("null", s->f);
        else if (op_object(e->op) == OP_OBJ_MEMORY && e->op != OP_FREE && e->size && e->size <= 8)
                json_string(s->f, phrase_text(buf, sizeof(buf), s->symbols, e->value, e->size));
        else if (e->op == OP_CHOOSE)
                fprintf(s->f, "\"%u\"", e->choice);
        else if (op_object(e->op) == OP_OBJ_MEMORY && e->size > 8)
                fprintf(s->f, "\"%u bytes\"", e->size);
        else
                fputs("null", s->f);
}

/* What a store that waits in a buffer has to do with entry i, and whether a thread observes it. */
static void put_delay(struct scene *s, const struct delays *d, uint32_t i)
{
        char *text = step_text(s->symbols, d, i, true);

        fputc(',', s->f);
        json_string(s->f, text);
        fprintf(s->f, ",%d,%d,%d",
                d->t->events[i].op == OP_FORWARD ||
                        (trace_is_buffer(d->t, d->t->events[i].actor) && delays_hidden(d, i)),
                (int)delays_of(d, i).pair, (int)delays_of(d, i).past);
        free(text);
}

static void put_event(struct scene *s, const struct delays *d, uint32_t i, const struct held *held)
{
        const struct trace *t = d->t;
        const struct wire_event *e = &t->events[i];
        bool object = op_object_named(op_object(e->op));
        char txn[TRANSACTION_TEXT];
        const char *op = transaction_text(e, txn) ? txn : op_name(e->op);

        fprintf(s->f, "%s[%u,%u,", i ? ",\n" : "\n", trace_owner(t, e->actor),
                table_put(s, &s->ops, hash_text(op), as_json(op)));
        if (object)
                fprintf(s->f, "%u,%u,", object_number(s, e->op, e->obj),
                        table_put(s, &s->granules, e->obj >> 3, strdup("")));
        else
                fputs("-1,-1,", s->f);
        put_value(s, e);
        fprintf(s->f, ",%u,%u,%u,%u,", place_number(s, e->site), e->flags, e->mode, t->n_frames ? t->stacks[i] : 0);
        put_locks(s, held, e->actor);
        if (d->of)
                put_delay(s, d, i);
        fputc(']', s->f);
}

static void put_events(struct scene *s, const struct trace *t)
{
        struct held held = {0};
        struct delays delays;

        if (delays_init(&delays, t))
                s->failed = true;
        fputs(",\"events\":[", s->f);
        for (uint32_t i = 0; i < t->n_events; i++) {
                if (!held_step(&held, &t->events[i], i))
                        s->failed = true;
                put_event(s, &delays, i, &held);
        }
        fputs("],\"frames\":[[0,-1]", s->f);
        for (uint32_t i = 1; i < t->n_frames; i++)
                fprintf(s->f, ",[%u,%u]", t->frames[i].parent, place_number(s, t->frames[i].site));
        fputc(']', s->f);
        delays_fini(&delays);
        held_fini(&held);
}

/* What is said of a stretch: its thread, the entry after it, and why it ended. */
static void put_stretches(struct scene *s, const struct finding *fd)
{
        struct stretches all;

        stretches_init(&all, s->symbols, fd, false);
        s->failed = s->failed || all.failed;
        fputs(",\"stretches\":[", s->f);
        for (uint32_t i = 0; i < all.n; i++) {
                const struct stretch *st = &all.all[i];
                const struct stretch_line *last = st->n ? &st->lines[st->n - 1] : NULL;
                bool fails = last && last->style == STRETCH_FAIL, stops = last && last->style == STRETCH_STOP;
                fprintf(s->f, "%s[%u,%u,%d,", i ? "," : "", st->actor, st->end, fails);
                json_string(s->f, fails || stops ? last->text : "");
                fputc(']', s->f);
        }
        fputc(']', s->f);
        stretches_fini(&all);
}

static void put_places(struct scene *s, const uint64_t *sites, uint32_t n)
{
        fputc('[', s->f);
        for (uint32_t i = 0; i < n; i++)
                fprintf(s->f, "%s%u", i ? "," : "", place_number(s, sites[i]));
        fputc(']', s->f);
}

static void put_thread(struct scene *s, const struct finding *fd, uint32_t i)
{
        const struct trace *t = fd->trace;
        const struct wire_thread *th = &t->threads[i];
        uint64_t sites[WIRE_MAX_STACK + 1];
        char buf[160];
        uint32_t n = finding_thread_stack(t, i, sites), holder = waits_for(t, i);

        if (fd->failure < t->n_failures && t->failures[fd->failure].actor == i)
                n = finding_stack(fd->kind, t, fd->failure, sites);
        fprintf(s->f, "%s{\"id\":%u,\"name\":", i ? ",\n" : "\n", i);
        json_string(s->f, phrase_thread_name(buf, sizeof(buf), s->symbols, t, i));
        fprintf(s->f, ",\"state\":%u,\"stack\":", th->state);
        put_places(s, sites, n);
        if (th->state == WIRE_T_BLOCKED) {
                fputs(",\"waits\":", s->f);
                json_string(s->f, finding_object(buf, sizeof(buf), s->symbols, th->op, th->obj));
                fprintf(s->f, ",\"op\":\"%s\",\"holder\":%d", op_name(th->op),
                        holder == WIRE_NO_ACTOR ? -1 : (int)holder);
        }
        fputc('}', s->f);
}

static void put_ends(struct scene *s, const struct finding *fd)
{
        const struct trace *t = fd->trace;
        uint32_t cycle[WIRE_MAX_THREADS];
        uint32_t n = fd->kind == FINDING_DEADLOCK ? waits_cycle(t, cycle) : 0;

        fputs(",\"threads\":[", s->f);
        for (uint32_t i = 0; i < trace_threads(t); i++)
                put_thread(s, fd, i);
        fputs("],\"cycle\":[", s->f);
        for (uint32_t i = 0; i < n; i++)
                fprintf(s->f, "%s%u", i ? "," : "", cycle[i]);
        fputs("],\"faults\":[", s->f);
        for (uint32_t i = 0; i < t->n_failures; i++) {
                const struct wire_failure *fl = &t->failures[i];
                char *message = finding_message(finding_kind_of(fl->kind), t, i, s->symbols);
                fprintf(s->f, "%s[%u,%u,", i ? "," : "", fl->event, fl->actor);
                json_string(s->f, message);
                fputc(']', s->f);
                free(message);
        }
        fputc(']', s->f);
}

/* What was done to make it simple, the step that decides, and what races. */
static void put_simple(struct scene *s, const struct finding *fd)
{
        char *minimized = story_minimized(fd), *words = story_inflection(s->symbols, fd);

        fprintf(s->f, ",\"probe\":%s,\"minimized\":", json_bool(fd->by_probe));
        json_string(s->f, minimized);
        fprintf(s->f, ",\"inflection\":%u,\"certain\":", words ? fd->minimized.inflection : 0);
        json_string(s->f, words);
        fputs(",\"races\":[", s->f);
        for (uint32_t i = 0; i < fd->n_races; i++)
                fprintf(s->f, "%s[%u,%u]", i ? "," : "", fd->races[i].early, fd->races[i].late);
        fputc(']', s->f);
        free(minimized);
        free(words);
}

void scene_init(struct scene *s, FILE *f, struct symbols *symbols, const struct report_info *info)
{
        *s = (struct scene){.f = f, .symbols = symbols, .info = info};
}

void scene_finding(struct scene *s, const struct finding *fd)
{
        uint64_t sites[WIRE_MAX_STACK + 1];
        char *message = finding_message(fd->kind, fd->trace, fd->failure, s->symbols);
        uint32_t n = finding_stack(fd->kind, fd->trace, fd->failure, sites);

        fprintf(s->f, "{\"kind\":\"%s\",\"message\":", finding_kind_name(fd->kind));
        json_string(s->f, message);
        free(message);
        fputs(",\"schedule\":", s->f);
        json_string(s->f, fd->schedule);
        char *story = story_tell(s->symbols, fd), *repair = story_repair(s->symbols, fd);
        fputs(",\"story\":", s->f);
        json_string(s->f, story);
        if (repair) {
                fputs(",\"repair\":", s->f);
                json_string(s->f, repair);
        }
        free(story);
        free(repair);
        fputs(",\"hint\":", s->f);
        char *hint = NULL;
        if (asprintf(&hint, "%s%s", phrase_replay_option(fd), s->info->replay_hint ? s->info->replay_hint : "") < 0)
                hint = NULL;
        json_string(s->f, hint);
        free(hint);
        fprintf(s->f, ",\"preemptions\":%u,\"execution\":%" PRIu64 ",\"count\":%" PRIu64 ",\"actor\":%d,\"stack\":",
                fd->preemptions, fd->execution, fd->count,
                (int)(int16_t)finding_actor(fd->kind, fd->trace, fd->failure));
        put_places(s, sites, n);
        put_simple(s, fd);
        put_ends(s, fd);
        put_stretches(s, fd);
        put_events(s, fd->trace);
        fputc('}', s->f);
}

/* The text of a source file as a string; null when it cannot be read, is too long, or belongs to the system. */
static void put_source(struct scene *s, const char *path)
{
        char *text = malloc(MAX_SOURCE + 1);
        FILE *f = text && strncmp(path, "/usr/", 5) != 0 ? fopen(path, "re") : NULL;
        size_t size = f ? fread(text, 1, MAX_SOURCE + 1, f) : 0;

        if (f && size <= MAX_SOURCE && !memchr(text, 0, size)) {
                text[size] = 0;
                json_string(s->f, text);
        } else {
                fputs("null", s->f);
        }
        if (f)
                fclose(f);
        free(text);
}

bool scene_fini(struct scene *s)
{
        fputs(",\n\"sources\":[", s->f);
        for (uint32_t i = 0; i < s->paths.n; i++) {
                fputs(i ? ",\n" : "\n", s->f);
                put_source(s, s->paths.at[i]);
        }
        fputc(']', s->f);
        vec_fini(&s->paths);
        for (uint32_t i = 0; i < s->granules.rows.n; i++)
                free(s->granules.rows.at[i]);
        vec_fini(&s->granules.rows);
        ptrmap_fini(&s->granules.index, NULL);
        table_write(s, "files", &s->files);
        table_write(s, "places", &s->places);
        table_write(s, "objects", &s->objects);
        table_write(s, "ops", &s->ops);
        return s->failed;
}
