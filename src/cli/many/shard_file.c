/*
 * A shard, as text.
 *
 * It is a stream (base/stream.h) in base64: magic, version, length and hash of the rest; whose it is; the plan; the result; what
 * reports need to name its addresses, since the program may not be there when the shards are put together.
 */
#include "cli/many/shard_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "cli/many/shard_format.h"
#include "trace/trace_file_names.h"
#include "verdict/result_state.h"

#define NAMED_SHARDS 8u

static void put_facts(const struct facts *f, struct stream *out)
{
        stream_put_array(out, f->modules, f->n_modules, sizeof *f->modules);
        stream_put_u32(out, f->n_observed);
        for (uint32_t i = 0; i < f->n_observed; i++) {
                const struct observed *o = &f->observed[i];
                uint32_t kind = o->is_signed | o->is_pointer << 1 | o->is_bool << 2 | o->is_char << 3;

                stream_put_text(out, o->name);
                stream_put_u64(out, o->addr);
                stream_put_u32(out, o->size);
                stream_put_u32(out, kind);
        }
        stream_put_array(out, f->assumed, f->n_assumed, sizeof *f->assumed);
        stream_put_u32(out, f->n_excluded);
        for (uint32_t i = 0; i < f->n_excluded; i++)
                stream_put_text(out, f->excluded[i]);
        stream_put_u32(out, f->unfiltered | f->instrumented << 1 | f->forked << 2);
        stream_put(out, f->isolation, sizeof f->isolation);
}

static void put_findings(const struct result *r, struct stream *out)
{
        for (uint32_t i = 0; i < r->n_findings; i++) {
                stream_put(out, &r->findings[i].minimized, sizeof r->findings[i].minimized);
                stream_put_array(out, r->findings[i].races, r->findings[i].n_races, sizeof *r->findings[i].races);
        }
}

static void name_races(FILE *f, const struct result *r, struct symbols *s)
{
        for (uint32_t i = 0; i < r->n_races; i++)
                for (int k = 0; k < 2; k++) {
                        const struct race_access *a = &r->races[i].access[k];
                        uint64_t data[RACE_MAX_LOCKS + 1] = {a->obj};

                        for (uint32_t l = 0; l < a->n_locks; l++)
                                data[l + 1] = a->locks[l].obj;
                        symbols_focus(s, &a->local, a->local.addr != 0);
                        filenames_write_list(f, &a->site, 1, NULL, 0, s);
                        filenames_write_list(f, a->stack, a->n_stack, data, a->n_locks + 1, s);
                }
}

static void name_all(FILE *f, const struct result *r, struct symbols *s)
{
        for (uint32_t i = 0; i < r->n_findings; i++) {
                finding_focus(&r->findings[i], s);
                filenames_write(f, r->findings[i].trace, s);
        }
        name_races(f, r, s);
        symbols_focus(s, NULL, 0);
        for (uint32_t i = 0; i < r->n_leaks; i++) {
                const struct leak *l = &r->leaks[i];

                filenames_write_list(f, l->block.allocated, l->block.n_allocated, NULL, 0, s);
                if (l->held)
                        filenames_write(f, l->held->trace, s);
        }
        filenames_write_list(f, r->busy, r->n_busy, NULL, 0, s);
        for (uint32_t i = 0; i < r->n_outcomes; i++)
                for (uint32_t k = 0; k < r->facts.n_observed; k++)
                        if (r->facts.observed[k].is_pointer)
                                filenames_write_list(f, NULL, 0, &r->outcomes[i].values[k], 1, s);
}

static void put_names(const struct result *r, struct stream *out)
{
        struct symbols *s = symbols_create(r->facts.modules, r->facts.n_modules);
        char *text = NULL;
        size_t n = 0;
        FILE *f = s ? open_memstream(&text, &n) : NULL;

        for (uint32_t i = 0; f && i < r->facts.n_labels; i++)
                symbols_know_data(s, r->facts.labels[i].addr, r->facts.labels[i].name);
        if (f)
                name_all(f, r, s);
        out->failed |= !f || fclose(f);
        stream_put_array(out, text, (uint32_t)n, 1);
        free(text);
        symbols_destroy(s);
}

static void put_part(struct stream *out, const struct stream *part)
{
        stream_put_array(out, part->at, (uint32_t)part->n, 1);
        out->failed |= part->failed || part->n > UINT32_MAX - 1;
}

static void put_classes(const struct result_shard *x, struct stream *out)
{
        stream_put_array(out, x->shown, x->n_shown, sizeof *x->shown);
        stream_put_u32(out, x->n_classes);
        for (uint32_t i = 0; i < x->n_classes; i++) {
                stream_put_u64(out, x->classes[i].hash);
                stream_put_u32(out, x->classes[i].shown);
        }
}

static void put_shard(const struct result_shard *x, struct stream *out)
{
        uint32_t head[] = {x->index, x->of, x->in_plan | x->replaced << 1u, x->full, x->tasks, x->own};
        uint64_t figures[] = {x->plan, x->planned, x->extra};

        stream_put(out, head, sizeof head);
        stream_put(out, figures, sizeof figures);
        stream_put(out, x->identity, sizeof x->identity);
        stream_put_array(out, x->knowledge, (uint32_t)x->n_knowledge, 1);
        put_classes(x, out);
}

static void put_all(const struct result *r, const struct report_info *info, const struct config *config,
                    struct stream *out)
{
        const char *const words[] = {info->version, info->program, info->strategy,
                                     info->memory,  info->preempt, info->replay_hint};
        struct stream part = STREAM_INIT;

        put_shard(&r->shard, out);
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
                stream_put_text(out, words[i]);
        stream_put_u32(out, info->keep_going | info->timeouts << 1 | info->races << 2);
        stream_put_u32(out, config->leaks);
        stream_put_u32(out, config->ignored);
        put_facts(&r->facts, &part);
        put_part(out, &part);
        stream_reset(&part);
        result_save(r, &part);
        put_part(out, &part);
        stream_reset(&part);
        put_findings(r, &part);
        put_part(out, &part);
        stream_fini(&part);
        put_names(r, out);
}

/* "1/4, 3/4, 4/4" */
static void name_others(const struct result_shard *x, char *text, size_t size)
{
        size_t n = 0;
        uint32_t told = 0;

        text[0] = 0;
        for (uint32_t i = 1; i <= x->of && told < NAMED_SHARDS && n < size; i++)
                if (i != x->index)
                        n += (size_t)snprintf(text + n, size - n, "%s%u/%u", told++ ? ", " : "", i, x->of);
        if (x->of > told + 1 && n < size)
                snprintf(text + n, size - n, " and %u more", x->of - told - 1);
}

int shard_file_make(struct result *r, const struct report_info *info, const struct config *config)
{
        struct shard_head head = {.magic = SHARD_MAGIC, .version = SHARD_VERSION};
        struct stream body = STREAM_INIT, all = STREAM_INIT;
        char others[WIRE_TEXT];

        put_all(r, info, config, &body);
        head.length = body.n;
        head.hash = stream_hash(0, body.at, body.n);
        stream_put(&all, &head, sizeof head);
        stream_put(&all, body.at, body.n);
        all.failed |= body.failed;
        r->shard.data = all.failed ? NULL : base64_encode(all.at, all.n);
        stream_fini(&body);
        stream_fini(&all);
        if (r->shard.of > 1) {
                name_others(&r->shard, others, sizeof others);
                stats_incomplete(&r->stats, REASON_SHARD, others);
        }
        return r->shard.data ? 0 : -1;
}
