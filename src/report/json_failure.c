/*
 * A failure in the object of `--json`, and places in the sources, which other fields have, too.
 */
#include "report/json_failure.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/json.h"
#include "op/op.h"
#include "report/wording.h"
#include "report/step.h"
#include "report/explanation.h"
#include "trace/waits.h"

void json_frame(FILE *f, const struct symbols_frame *frame)
{
        fputs("{\"file\": ", f);
        json_string(f, frame->file);
        fputs(", \"line\": ", f);
        json_optional(f, frame->line, frame->line);
        fputs(", \"function\": ", f);
        json_string(f, frame->function);
        fputc('}', f);
}

void json_stack(FILE *f, struct symbols *s, const uint64_t *sites, uint32_t n)
{
        const char *comma = "";

        fputc('[', f);
        for (uint32_t i = 0; i < n; i++) {
                const struct symbols_frame *frames;
                uint32_t k = symbols_frames(s, sites[i], &frames);
                for (uint32_t j = 0; j < k; j++) {
                        if (frames[j].runtime)
                                continue;
                        fputs(comma, f);
                        json_frame(f, &frames[j]);
                        comma = ", ";
                }
        }
        fputc(']', f);
}

static const char *state_name(uint32_t state)
{
        static const char *const names[] = {
                [WIRE_T_UNUSED] = "unused", [WIRE_T_READY] = "ready",  [WIRE_T_BLOCKED] = "blocked",
                [WIRE_T_SPIN] = "spinning", [WIRE_T_DONE] = "done",    [WIRE_T_FAILED] = "failed",
                [WIRE_T_ASSUME] = "assume", [WIRE_T_BUDGET] = "depth", [WIRE_T_EXITED] = "exited",
        };
        return state < sizeof(names) / sizeof(names[0]) ? names[state] : "?";
}

static void put_thread(FILE *f, struct symbols *s, const struct finding *fd, uint32_t i)
{
        const struct trace *t = fd->trace;
        const struct wire_thread *th = &t->threads[i];
        uint64_t sites[WIRE_MAX_STACK + 1];
        char text[160];
        uint32_t n = finding_thread_stack(t, i, sites);

        if (fd->failure < t->n_failures && t->failures[fd->failure].actor == i)
                n = finding_stack(fd->kind, t, fd->failure, sites);
        fprintf(f, "\n       {\"id\": %u, \"name\": ", i);
        json_string(f, phrase_thread_name(text, sizeof(text), s, t, i));
        fprintf(f, ", \"state\": \"%s\", \"stack\": ", state_name(th->state));
        json_stack(f, s, sites, n);
        if (th->state == WIRE_T_BLOCKED) {
                uint32_t holder = waits_for(t, i);
                fputs(", \"waits_for\": {\"operation\": ", f);
                json_string(f, op_name(th->op));
                fputs(", \"object\": ", f);
                json_string(f, finding_object(text, sizeof(text), s, th->op, th->obj));
                fputs(", \"held_by\": ", f);
                json_optional(f, holder != WIRE_NO_ACTOR, holder);
                fputc('}', f);
        }
        fputc('}', f);
}

static void put_minimized(FILE *f, struct symbols *s, const struct finding *fd)
{
        const struct minimized *z = &fd->minimized;
        char *words = story_inflection(s, fd);

        fputs(",\n     \"minimized\": ", f);
        if (z->done) {
                fprintf(f,
                        "{\"fewest\": %s, \"switches\": %u, \"steps\": %u, \"found\": {\"preemptions\": %u, "
                        "\"switches\": %u, \"steps\": %u}, \"runs\": %" PRIu64 ", \"seconds\": ",
                        json_bool(z->fewest), z->switches, z->steps, z->was_preemptions, z->was_switches, z->was_steps,
                        z->runs);
                json_double(f, z->seconds);
                fputc('}', f);
        } else {
                fputs("null", f);
        }
        fputs(",\n     \"inflection\": ", f);
        if (words) {
                fprintf(f, "{\"step\": %u, \"thread\": ", z->inflection);
                json_optional(f, z->inflection, z->inflection ? fd->trace->events[z->inflection - 1].actor : 0);
                fputs(", \"text\": ", f);
                json_string(f, words);
                fputc('}', f);
        } else {
                fputs("null", f);
        }
        free(words);
}

/* The block of the heap that a failure is about, if there is one. */
static void put_block(FILE *f, struct symbols *s, const struct wire_block *k)
{
        if (!k->n_allocated)
                return;
        fprintf(f,
                ",\n     \"block\": {\"address\": \"0x%" PRIx64 "\", \"size\": %" PRIu64
                ", \"allocated\": {\"thread\": %u, \"stack\": ",
                k->start, k->size, k->actor);
        json_stack(f, s, k->allocated, k->n_allocated);
        fputs("}, \"freed\": ", f);
        if (k->n_freed) {
                fprintf(f, "{\"thread\": %u, \"stack\": ", k->freed_by);
                json_stack(f, s, k->freed, k->n_freed);
                fputs("}}", f);
        } else {
                fputs("null}", f);
        }
}

/* Stores that waited in a store buffer while another thread could tell; steps as in `replay --steps`. */
static void put_delayed(FILE *f, struct symbols *s, const struct trace *t)
{
        struct delays d;
        const char *comma = "";

        fputs(",\n     \"delayed\": [", f);
        if (delays_init(&d, t) == 0 && d.of) {
                for (uint32_t i = 0; i < t->n_events; i++) {
                        struct delay of = delays_of(&d, i);
                        if (!(t->events[i].weak & WIRE_WEAK_BUFFERED) || of.past == DELAYS_NONE)
                                continue;
                        char *what = step_access(s, &t->events[i]);
                        fprintf(f, "%s\n      {\"thread\": %u, \"store\": ", comma, t->events[i].actor);
                        json_string(f, what);
                        fprintf(f, ", \"step\": %u, \"reaches_memory\": ", i + 1);
                        json_optional(f, of.pair != DELAYS_NONE, of.pair + UINT64_C(1));
                        fprintf(f, ", \"observed_by\": {\"thread\": %u, \"step\": %u}}",
                                trace_owner(t, t->events[of.past].actor), of.past + 1);
                        free(what);
                        comma = ",";
                }
        }
        delays_fini(&d);
        fputc(']', f);
}

void json_failure(FILE *f, struct symbols *s, const struct finding *fd)
{
        const struct trace *t = fd->trace;
        uint64_t sites[WIRE_MAX_STACK + 1];
        char *message = finding_message(fd->kind, t, fd->failure, s);

        fprintf(f, "\n    {\"kind\": \"%s\", \"message\": ", finding_kind_name(fd->kind));
        json_string(f, message ? message : "");
        free(message);
        fputs(",\n     \"where\": ", f);
        uint32_t n = finding_stack(fd->kind, t, fd->failure, sites);
        struct symbols_frame where = phrase_where(s, sites, n);
        json_frame(f, &where);
        fputs(",\n     \"threads\": [", f);
        for (uint32_t i = 0, told = 0; i < t->n_threads; i++) {
                if (t->threads[i].state == WIRE_T_UNUSED || trace_is_buffer(t, i))
                        continue;
                fputs(told++ ? "," : "", f);
                put_thread(f, s, fd, i);
        }
        fputc(']', f);
        if (fd->kind == FINDING_LEAK)
                fprintf(f, ",\n     \"lost\": {\"bytes\": %u, \"blocks\": %u}", t->failures[fd->failure].status,
                        t->failures[fd->failure].other_op);
        if (fd->failure < t->n_failures)
                put_block(f, s, &t->failures[fd->failure].block);
        char *story = story_tell(s, fd), *fences = story_fences(s, fd), *pattern = story_pattern(s, fd);
        char *repair = story_repair(s, fd);
        fputs(",\n     \"explanation\": ", f);
        json_string(f, story);
        fputs(", \"pattern\": ", f);
        json_string(f, pattern);
        fputs(", \"repair\": ", f);
        json_string(f, repair);
        put_delayed(f, s, t);
        fputs(", \"fences\": ", f);
        json_string(f, fences);
        free(story);
        free(fences);
        free(pattern);
        free(repair);
        put_minimized(f, s, fd);
        fputs(",\n     \"stderr\": ", f);
        json_string(f, t->errors && *t->errors ? t->errors : NULL);
        fputs(",\n     \"schedule\": ", f);
        json_string(f, fd->schedule);
        fprintf(f, ", \"preemptions\": %u, \"execution\": %" PRIu64 ", \"count\": %" PRIu64 ", \"found_by\": \"%s\"}",
                fd->preemptions, fd->execution, fd->count, fd->by_probe ? "probe" : "search");
}
