/* See paths.h. */
#include "record/paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How much of the arrays is used, and bits of the present path that are not in words. */
struct used {
        uint32_t words, stamps, inputs, repeats;
        uint64_t left_out;
};

/* Appends one bit to the words of a path.  false: they are full. */
static bool add_bit(struct wire_paths *w, struct wire_path *p, const struct used *used, bool bit)
{
        uint64_t at = p->bits - used->left_out;

        if (at / 64 >= WIRE_MAX_PATH_WORDS - p->first)
                return false;
        w->words[p->first + at / 64] |= (uint64_t)bit << (at % 64);
        p->bits++;
        return true;
}

static bool add_bits(struct wire_paths *w, struct wire_path *p, const struct used *used, const struct rec_entry *e)
{
        for (uint64_t b = rec_bits(e); b--;)
                if (!add_bit(w, p, used, e->word >> b & 1))
                        return false;
        return true;
}

static bool add_repeat(struct wire_paths *w, struct wire_path *p, struct used *used, const struct rec_entry *e)
{
        uint64_t n = rec_bits(e);

        if (used->repeats == WIRE_MAX_PATH_REPEATS)
                return false;
        w->repeats[used->repeats++] =
                (struct wire_repeat){p->bits, p->bits + n, used->left_out, REC_COUNT(e->info) * REC_BITS};
        used->left_out += n;
        p->bits += n;
        return true;
}

/* The data of a call whose entry is lost are left out. */
static bool is_input(const struct recorded_thread *t, uint32_t k)
{
        uint32_t kind = REC_KIND(t->entries[k].info);

        while (k && REC_KIND(t->entries[k].info) == REC_DATA)
                k--;
        return kind == REC_INPUT || kind == REC_READ || (kind == REC_DATA && REC_KIND(t->entries[k].info) == REC_READ);
}

/* Does the thread create another one, or join it?  Its first entry is its own start; where it is lost, their number is not known. */
static bool is_turn(const struct recorded_thread *t, uint32_t k)
{
        uint32_t kind = REC_KIND(t->entries[k].info);

        return !t->lost_entries && k && (kind == REC_CREATE || kind == REC_JOIN);
}

/* A time is of the end of its bits, and of its operation. */
static bool add_thread(struct wire_paths *w, uint32_t i, const struct recorded_thread *t, struct used *used)
{
        struct wire_path *p = &w->all[i];
        uint32_t turns = 0;

        *p = (struct wire_path){.parent = t->parent,
                                .nth = t->nth,
                                .lost = t->lost,
                                .first = used->words,
                                .first_repeat = used->repeats,
                                .first_stamp = used->stamps,
                                .first_input = used->inputs};
        used->left_out = 0;
        for (uint32_t k = 0; k < t->n; k++) {
                uint64_t info = t->entries[k].info;
                bool repeats = REC_KIND(info) == REC_REPEAT;

                if (repeats ? !add_repeat(w, p, used, &t->entries[k]) : !add_bits(w, p, used, &t->entries[k]))
                        return false;
                if (is_input(t, k) && used->inputs < WIRE_MAX_PATH_INPUTS) {
                        w->input_kinds[used->inputs] = REC_KIND(info) == REC_INPUT ? REC_COUNT(info) : REC_CALL;
                        w->inputs[used->inputs++] = t->entries[k].word;
                }
                turns += is_turn(t, k);
                if (REC_TIME(info) && used->stamps < WIRE_MAX_PATH_STAMPS)
                        w->stamps[used->stamps++] = (struct wire_stamp){REC_TIME(info), p->lost + p->bits,
                                                                        REC_CORE(info), is_turn(t, k) ? turns : 0};
        }
        p->n_stamps = used->stamps - p->first_stamp;
        p->n_inputs = used->inputs - p->first_input;
        p->n_repeats = used->repeats - p->first_repeat;
        used->words += (uint32_t)((p->bits - used->left_out + 63) / 64);
        return true;
}

static void set_place(struct wire_paths *w, const struct recording *r)
{
        const char *slash = r->file ? strrchr(r->file, '/') : NULL;

        if (r->failure == REC_ASSERTION && r->file && r->file[0])
                snprintf(w->place, sizeof w->place, "%s:%u: ", slash ? slash + 1 : r->file, r->line);
}

struct wire_paths *paths_make(const struct recording *r, struct error *why)
{
        struct wire_paths *w = calloc(1, sizeof *w);
        struct used used = {0};

        if (!w) {
                error_memory(why);
                return NULL;
        }
        w->n = r->n_threads;
        w->untyped = r->format < RECORDING_TYPED;
        w->open = r->started > REC_MAX_THREADS;
        w->failure = r->failure;
        w->status = r->signal & 0xff;
        w->failing = r->failing;
        w->processors = r->processors;
        set_place(w, r);
        for (uint32_t i = 0; i < r->n_threads; i++)
                if (!add_thread(w, i, &r->threads[i], &used)) {
                        error_set(why, -1,
                                  "the paths are too long: more than %u million branches; record with a smaller --ring",
                                  WIRE_MAX_PATH_WORDS / 15625);
                        free(w);
                        return NULL;
                }
        return w;
}
