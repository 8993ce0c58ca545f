/* Trace files, written; trace_file.c says what holds of them. */
#include "trace/trace_file.h"

#include <inttypes.h>

#include "base/words.h"
#include "op/op.h"
#include "trace/trace_file_finding.h"
#include "trace/trace_file_names.h"
#include "trace/heap.h"
#include "binary/symbols.h"

static void put_line(FILE *f, const char *key, const char *text)
{
        if (!text)
                return;
        fputs(key, f);
        words_put(f, text);
        fputc('\n', f);
}

static void put_op(FILE *f, uint32_t op)
{
        fputc(' ', f);
        if (op >= OP_USER) {
                fprintf(f, "user.%x", op - OP_USER);
                return;
        }
        for (const char *p = op_name(op); *p; p++)
                fputc(*p == ' ' ? '_' : *p, f);
}

static void put_stack(FILE *f, const uint64_t *stack, uint32_t n)
{
        fprintf(f, " %x", n);
        for (uint32_t i = 0; i < n; i++)
                fprintf(f, " %" PRIx64, stack[i]);
        fputc('\n', f);
}

/* Operations of plugins are known by no other name. */
static void put_operations(FILE *f, const struct trace *t)
{
        bool used = false;

        for (uint32_t i = 0; i < t->n_events; i++)
                used = used || t->events[i].op >= OP_USER;
        for (uint32_t i = 0; i < t->n_threads; i++)
                used = used || t->threads[i].op >= OP_USER;
        for (uint32_t op = OP_USER; used && op_user_known(op); op++)
                put_line(f, "operation", op_name(op));
}

static void put_parts(FILE *f, const struct trace *t)
{
        for (uint32_t i = 0; i < t->n_modules; i++) {
                fprintf(f, "module %" PRIx64, t->modules[i].base);
                words_put(f, t->modules[i].path);
                fputc('\n', f);
        }
        for (uint32_t i = 0; i < t->n_names; i++)
                fprintf(f, "name %x %x\n", t->names[i].parent, t->names[i].nth);
        for (uint32_t i = 0; i < t->n_threads; i++) {
                const struct wire_thread *th = &t->threads[i];
                fprintf(f, "thread %x", th->state);
                put_op(f, th->op);
                fprintf(f, " %" PRIx64 " %" PRIx64 " %x %x %x %" PRIx64, th->obj, th->site, th->pos, th->holder,
                        th->transitions, th->start);
                words_put(f, th->name);
                put_stack(f, th->stack, th->n_stack);
        }
        for (uint32_t i = 0; i < t->n_failures; i++) {
                const struct wire_failure *fl = &t->failures[i];
                fprintf(f, "failure %x %x %x %x %" PRIx64 " %" PRIx64 " %x", fl->kind, fl->actor, fl->signal,
                        fl->status, fl->addr, fl->site, fl->event);
                fprintf(f, " %" PRIx64 " %x %x", fl->other, fl->other_actor, fl->other_op);
                words_put(f, fl->text);
                put_stack(f, fl->stack, fl->n_stack);
                if (fl->block.n_allocated) {
                        fputs("block", f);
                        heap_put_block(f, &fl->block);
                }
        }
}

int trace_file_write(FILE *f, const struct trace *t, const struct trace_file_info *info)
{
        fprintf(f, TRACE_FILE_MAGIC " %u\n", TRACE_FILE_VERSION);
        put_line(f, "program", info->program);
        for (char **option = info->options; option && *option; option++)
                put_line(f, "option", *option);
        for (char **arg = info->argv; arg && *arg; arg++)
                put_line(f, "arg", *arg);
        put_line(f, "schedule", info->schedule);
        filefinding_write(f, info);
        fprintf(f, "fingerprint %06x\n", info->fingerprint & 0xffffffu);
        fprintf(f, "end %x %x %x\n", t->end, t->step, (uint32_t)t->exit_status);
        put_line(f, "text", t->text);
        put_operations(f, t);
        put_parts(f, t);
        for (uint32_t i = 1; i < t->n_frames; i++)
                fprintf(f, "frame %x %" PRIx64 "\n", t->frames[i].parent, t->frames[i].site);
        for (uint32_t i = 0; i < t->n_events; i++) {
                const struct wire_event *e = &t->events[i];
                if (t->n_frames && t->stacks[i])
                        fprintf(f, "stack %x\n", t->stacks[i]);
                fprintf(f, "event %x", e->actor);
                put_op(f, e->op);
                fprintf(f, " %x %x %" PRIx64 " %" PRIx64 " %" PRIx64 " %x %x %x %x\n", e->flags, e->size, e->obj,
                        e->value, e->site, e->pos, e->choice, e->next_choice, e->mode | (uint32_t)e->weak << 16);
        }
        struct symbols *s = info->symbols ? info->symbols : t->symbols;
        struct symbols *own = s ? NULL : symbols_create(t->modules, t->n_modules);
        if (own)
                trace_focus(t, own);
        if (s || own)
                filenames_write(f, t, s ? s : own);
        symbols_destroy(own);
        fprintf(f, "done %x\n", t->n_events);
        return fflush(f) || ferror(f) ? -1 : 0;
}
