/* See collect.h. */
#include "record/collect.h"

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

/* The bits of the last word, which is in no entry: a last entry with the time of the one before. */
static void add_last(struct recorded_thread *t, const struct rec_thread *from)
{
        uint64_t last = from->last, info = t->n ? t->entries[t->n - 1].info : 0;
        uint32_t all = last ? 63u - (uint32_t)__builtin_clzll(last) : 0;
        uint32_t n = all > from->taken ? all - from->taken : 0;

        if (n && n <= REC_BITS)
                t->entries[t->n++] = (struct rec_entry){last & ((UINT64_C(1) << n) - 1),
                                                        REC_INFO(REC_BRANCHES, n, REC_CORE(info), REC_TIME(info))};
}

/* One more entry; without the words that it repeats, which are lost, an entry is none, nor are those before it. */
static void add_entry(struct recorded_thread *t, struct rec_entry e)
{
        t->entries[t->n++] = e;
        if (recording_sane_entry(t->entries, t->n - 1))
                return;
        t->n = REC_KIND(e.info) == REC_REPEAT ? 0 : t->n - 1;
}

/* Entries that were written after the copy of the last word was taken are ignored, but they may have taken the place of old ones,
 * and a thread that runs may be writing another one. */
static int add_thread(struct recorded_thread *t, const struct rec_thread *from, const struct rec_entry *entries,
                      uint32_t ring)
{
        bool runs = from->state != REC_ENDED, copied = runs && from->last_n != UINT64_MAX;
        uint64_t written = from->n, end = copied && from->last_n < written ? from->last_n : written;
        uint64_t begin = written + runs > ring ? written + runs - ring : 0;
        uint64_t bits = copied ? from->last_bits : from->bits;

        *t = (struct recorded_thread){
                .parent = from->parent, .nth = from->nth, .state = from->state == REC_ENDED ? REC_ENDED : REC_RUNS};
        end = end < begin ? begin : end;
        t->entries = malloc((size_t)(end - begin + 1) * sizeof *t->entries);
        if (!t->entries)
                return -1;
        for (uint64_t i = begin; i < end; i++) {
                struct rec_entry e = entries[i & (ring - 1)];
                if (copied && i + 1 == end && REC_KIND(e.info) == REC_REPEAT && e.word > from->last_repeat)
                        e.word = from->last_repeat;
                add_entry(t, e);
        }
        t->lost_entries = end - t->n;
        t->lost = bits > recording_bits(t) ? bits - recording_bits(t) : 0;
        if (copied)
                add_last(t, from);
        return 0;
}

static char *text(const char *from, size_t room)
{
        return strndup(from, strnlen(from, room - 1));
}

int collect(struct recording *r, const struct rec_memory *m, uint32_t ring)
{
        uint32_t n = m->n_threads < REC_MAX_THREADS ? m->n_threads : REC_MAX_THREADS;

        r->failure = m->kind <= REC_DUMP ? m->kind : REC_NONE;
        r->failing = m->thread < n ? m->thread : UINT32_MAX;
        r->signal = m->signal;
        r->line = m->line;
        r->address = m->address;
        r->condition = text(m->condition, REC_TEXT);
        r->file = text(m->file, REC_TEXT);
        r->function = text(m->function, REC_TEXT);
        r->n_stack = m->n_stack < REC_MAX_STACK ? m->n_stack : REC_MAX_STACK;
        memcpy(r->stack, m->stack, r->n_stack * sizeof *r->stack);
        r->started = m->n_threads;
        r->jitter = m->jitter;
        r->n_modules = m->n_modules < REC_MAX_MODULES ? m->n_modules : REC_MAX_MODULES;
        r->modules = calloc(r->n_modules + 1, sizeof *r->modules);
        r->threads = calloc(n + 1, sizeof *r->threads);
        if (!r->condition || !r->file || !r->function || !r->modules || !r->threads)
                return -1;
        memcpy(r->modules, m->modules, r->n_modules * sizeof *r->modules);
        for (uint32_t i = 0; i < r->n_modules; i++)
                r->modules[i].path[REC_PATH - 1] = '\0';
        for (uint32_t i = 0; i < n; i++) {
                if (add_thread(&r->threads[i], &m->threads[i], &m->entries[(uint64_t)i * ring], ring))
                        return -1;
                r->n_threads = i + 1;
        }
        return 0;
}

void collect_hang(struct rec_memory *m, pid_t pid)
{
        for (uint32_t i = 0; i < m->n_threads && i < REC_MAX_THREADS; i++) {
                struct rec_thread *t = &m->threads[i];
                uint64_t word = 0;
                struct iovec to = {&word, sizeof word}, from = {(void *)(uintptr_t)t->word_at, sizeof word};

                if (t->state != REC_RUNS || process_vm_readv(pid, &to, 1, &from, 1, 0) != (ssize_t)sizeof word)
                        continue;
                t->last = word;
                t->last_n = t->n;
                t->last_bits = t->bits;
                t->last_repeat = UINT64_MAX;
        }
        m->kind = REC_HANG;
        m->thread = UINT32_MAX;
        m->n_stack = 0;
}
