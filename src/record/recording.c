/* See recording.h.  A file is a head (magic, version, size of the rest), the rest as a stream, and a hash of it. */
#include "record/recording.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC       "heddle-recording\n"
#define MAGIC_SIZE  (sizeof MAGIC - 1)
#define MAX_PAYLOAD (UINT64_C(1) << 33)
#define MAX_TEXT    (1u << 16)
#define MAX_LIST    (1u << 16)
#define MAX_ENTRIES (1u << 24)
#define MAX_BITS    (UINT64_C(1) << 56)
#define HASH_SEED   0x7265636fu

static void free_list(char **l)
{
        for (size_t i = 0; l && l[i]; i++)
                free(l[i]);
        free(l);
}

void recording_fini(struct recording *r)
{
        free(r->heddle);
        free(r->program);
        free(r->folder);
        free_list(r->argv);
        free_list(r->env);
        free(r->input);
        free(r->condition);
        free(r->file);
        free(r->function);
        free(r->modules);
        for (uint32_t i = 0; r->threads && i < r->n_threads; i++)
                free(r->threads[i].entries);
        free(r->threads);
        *r = (struct recording){0};
}

static void put_list(struct stream *s, char *const *l)
{
        uint32_t n = 0;

        while (l && l[n])
                n++;
        stream_put_u32(s, n);
        for (uint32_t i = 0; i < n; i++)
                stream_put_text(s, l[i]);
}

static void put_failure(struct stream *s, const struct recording *r)
{
        stream_put_u32(s, r->failure);
        stream_put_u32(s, r->failing);
        stream_put_u32(s, r->signal);
        stream_put_u32(s, r->line);
        stream_put_u64(s, r->address);
        stream_put_text(s, r->condition);
        stream_put_text(s, r->file);
        stream_put_text(s, r->function);
        stream_put_array(s, r->stack, r->n_stack, sizeof *r->stack);
}

static void put_threads(struct stream *s, const struct recording *r)
{
        stream_put_u32(s, r->n_threads);
        for (uint32_t i = 0; i < r->n_threads; i++) {
                const struct recorded_thread *t = &r->threads[i];
                stream_put_u32(s, t->parent);
                stream_put_u32(s, t->nth);
                stream_put_u32(s, t->state);
                stream_put_u64(s, t->lost);
                stream_put_u64(s, t->lost_entries);
                stream_put_array(s, t->entries, t->n, sizeof *t->entries);
        }
}

int recording_write(const struct recording *r, FILE *f)
{
        struct stream s = STREAM_INIT;
        uint32_t version = RECORDING_VERSION;
        uint64_t size, hash;
        bool ok;

        stream_put_text(&s, r->heddle);
        stream_put_text(&s, r->program);
        stream_put_text(&s, r->folder);
        put_list(&s, r->argv);
        put_list(&s, r->env);
        stream_put_array(&s, r->input, r->n_input, 1);
        stream_put_u32(&s, r->fingerprint);
        stream_put_u32(&s, r->started);
        stream_put_u32(&s, r->jitter);
        stream_put_u32(&s, r->rate);
        stream_put_u32(&s, r->processors);
        put_failure(&s, r);
        stream_put_array(&s, r->modules, r->n_modules, sizeof *r->modules);
        put_threads(&s, r);
        size = s.n;
        hash = stream_hash(HASH_SEED, s.at, s.n);
        errno = ENOMEM;
        ok = !s.failed && fwrite(MAGIC, MAGIC_SIZE, 1, f) == 1 && fwrite(&version, sizeof version, 1, f) == 1 &&
             fwrite(&size, sizeof size, 1, f) == 1 && fwrite(s.at, s.n, 1, f) == 1 &&
             fwrite(&hash, sizeof hash, 1, f) == 1 && fflush(f) == 0;
        stream_fini(&s);
        return ok ? 0 : -1;
}

bool recording_is(const char *path)
{
        char head[MAGIC_SIZE];
        FILE *f = fopen(path, "re");
        bool is = f && fread(head, MAGIC_SIZE, 1, f) == 1 && memcmp(head, MAGIC, MAGIC_SIZE) == 0;

        if (f)
                fclose(f);
        return is;
}

static char **get_list(struct stream *s)
{
        uint32_t n = stream_get_count(s, MAX_LIST, sizeof(uint32_t));
        char **l = s->failed ? NULL : calloc(n + 1, sizeof *l);

        s->failed |= !l;
        for (uint32_t i = 0; i < n && !s->failed; i++)
                l[i] = stream_get_text(s, MAX_TEXT);
        return l;
}

static void get_failure(struct recording *r, struct stream *s)
{
        uint64_t *stack;

        r->failure = stream_get_max(s, REC_DUMP);
        r->failing = stream_get_u32(s);
        r->signal = stream_get_u32(s);
        r->line = stream_get_u32(s);
        r->address = stream_get_u64(s);
        r->condition = stream_get_text(s, MAX_TEXT);
        r->file = stream_get_text(s, MAX_TEXT);
        r->function = stream_get_text(s, MAX_TEXT);
        stack = stream_get_array(s, REC_MAX_STACK, sizeof *stack, &r->n_stack);
        if (!s->failed && r->n_stack)
                memcpy(r->stack, stack, r->n_stack * sizeof *stack);
        free(stack);
}

/* Full words that an entry with this number repeats. */
static bool repeats_words(const struct rec_entry *entries, uint32_t number)
{
        uint32_t n = REC_COUNT(entries[number].info);

        for (uint32_t i = 1; i <= n && i <= number; i++)
                if (REC_KIND(entries[number - i].info) != REC_BRANCHES ||
                    REC_COUNT(entries[number - i].info) != REC_BITS)
                        return false;
        return n && n <= REC_PERIOD && n <= number && entries[number].word <= MAX_BITS / REC_BITS;
}

bool recording_sane_entry(const struct rec_entry *entries, uint32_t number)
{
        switch (REC_KIND(entries[number].info)) {
        case REC_BRANCHES: return true;
        case REC_REPEAT: return repeats_words(entries, number);
        case REC_INPUT: return REC_COUNT(entries[number].info) < REC_INPUTS;
        default: return REC_KIND(entries[number].info) < REC_KINDS && !REC_COUNT(entries[number].info);
        }
}

static bool sane_thread(const struct recorded_thread *t, uint32_t i)
{
        uint64_t bits = 0;

        if (i ? t->parent >= i || !t->nth : t->parent || t->nth)
                return false;
        for (uint32_t k = 0; k < t->n; k++)
                if (!recording_sane_entry(t->entries, k) || (bits += rec_bits(&t->entries[k])) > MAX_BITS)
                        return false;
        return t->lost <= MAX_BITS;
}

static void get_threads(struct recording *r, struct stream *s)
{
        uint32_t n = stream_get_count(s, REC_MAX_THREADS, sizeof(uint64_t));

        r->threads = s->failed ? NULL : calloc(n + 1, sizeof *r->threads);
        s->failed |= !r->threads || !n;
        for (uint32_t i = 0; i < n && !s->failed; i++) {
                struct recorded_thread *t = &r->threads[i];
                t->parent = stream_get_u32(s);
                t->nth = stream_get_u32(s);
                t->state = stream_get_max(s, REC_ENDED);
                t->lost = stream_get_u64(s);
                t->lost_entries = stream_get_u64(s);
                t->entries = stream_get_array(s, MAX_ENTRIES, sizeof *t->entries, &t->n);
                r->n_threads = i + 1;
                s->failed |= !sane_thread(t, i);
        }
}

static void get_all(struct recording *r, struct stream *s)
{
        r->heddle = stream_get_text(s, MAX_TEXT);
        r->program = stream_get_text(s, MAX_TEXT);
        r->folder = stream_get_text(s, MAX_TEXT);
        r->argv = get_list(s);
        r->env = get_list(s);
        r->input = stream_get_array(s, RECORDING_MAX_INPUT, 1, &r->n_input);
        r->fingerprint = stream_get_u32(s);
        r->started = stream_get_u32(s);
        r->jitter = stream_get_u32(s);
        r->rate = stream_get_u32(s);
        r->processors = r->format < RECORDING_TYPED ? 0 : stream_get_u32(s);
        get_failure(r, s);
        r->modules = stream_get_array(s, REC_MAX_MODULES, sizeof *r->modules, &r->n_modules);
        for (uint32_t i = 0; i < r->n_modules && !s->failed; i++)
                s->failed |= !memchr(r->modules[i].path, 0, REC_PATH);
        get_threads(r, s);
        s->failed |= (r->failing != UINT32_MAX && r->failing >= r->n_threads) || !r->argv || !r->argv[0];
}

/* The rest of the file, whose hash is right; -1: `why` says what is wrong. */
static int read_payload(struct stream *s, FILE *f, struct error *why)
{
        uint64_t size, hash = 0;
        char block[65536];

        if (fread(&size, sizeof size, 1, f) != 1)
                return error_set(why, -1, "the recording is truncated; record again");
        if (size > MAX_PAYLOAD)
                return error_set(why, -1, "the recording is damaged; record again");
        while (s->n < size && !s->failed) {
                size_t want = size - s->n < sizeof block ? (size_t)(size - s->n) : sizeof block;
                size_t got = fread(block, 1, want, f);
                if (!got)
                        return error_set(why, -1, "the recording is truncated; record again");
                stream_put(s, block, got);
        }
        if (s->failed)
                return error_memory(why);
        if (fread(&hash, sizeof hash, 1, f) != 1)
                return error_set(why, -1, "the recording is truncated; record again");
        if (hash != stream_hash(HASH_SEED, s->at, s->n) || fgetc(f) != EOF)
                return error_set(why, -1, "the recording is damaged; record again");
        return 0;
}

int recording_decode(struct recording *r, struct stream *s, uint32_t format, struct error *why)
{
        *r = (struct recording){.format = format};
        get_all(r, s);
        return stream_done(s) ? 0 : error_set(why, -1, "the recording is malformed; record again");
}

int recording_read(struct recording *r, FILE *f, struct error *why)
{
        struct stream s = STREAM_INIT;
        char head[MAGIC_SIZE];
        uint32_t version;
        int err;

        *r = (struct recording){0};
        if (fread(head, MAGIC_SIZE, 1, f) != 1 || memcmp(head, MAGIC, MAGIC_SIZE) != 0)
                return error_set(why, -1, "is not a recording; heddle record makes one");
        if (fread(&version, sizeof version, 1, f) != 1)
                return error_set(why, -1, "the recording is truncated; record again");
        if (version > RECORDING_VERSION)
                return error_set(
                        why, -1,
                        "the recording has format %u, and this heddle reads formats up to %u; use a newer heddle",
                        version, RECORDING_VERSION);
        err = read_payload(&s, f, why);
        if (!err)
                err = recording_decode(r, &s, version, why);
        stream_fini(&s);
        return err ? -1 : 0;
}

const char *recording_kind(const struct recording *r)
{
        static const char *const names[] = {
                [REC_NONE] = "nothing",     [REC_ASSERTION] = "assertion", [REC_CRASH] = "crash", [REC_ABORT] = "abort",
                [REC_EXIT] = "exit-status", [REC_HANG] = "hang",           [REC_DUMP] = "dump"};

        return names[r->failure];
}

uint64_t recording_bits(const struct recorded_thread *t)
{
        uint64_t n = 0;

        for (uint32_t i = 0; i < t->n; i++)
                n += rec_bits(&t->entries[i]);
        return n;
}
