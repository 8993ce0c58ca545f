/*
 * Shards, read.  A report is not trusted: everything is checked before it is used, and what is malformed is refused.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/words.h"
#include "cli/many/shard_file.h"
#include "cli/many/shard_format.h"
#include "engine/identity.h"
#include "engine/knowledge.h"
#include "trace/trace_file_names.h"

#define MAX_FILE (UINT64_C(1) << 32)
#define MAX_WORD (1u << 20)
#define MAX_PART (UINT32_MAX - 1)
#define MAX_LIST 65536u

void shard_file_fini(struct shard_file *f)
{
        result_shard_fini(&f->shard);
        for (size_t i = 0; i < sizeof f->info / sizeof *f->info; i++)
                free(f->info[i]);
        stream_fini(&f->result);
        stream_fini(&f->facts);
        stream_fini(&f->findings);
        stream_fini(&f->names);
}

static char *read_whole(const char *path, struct error *why)
{
        FILE *f = fopen(path, "re");
        char *text = NULL;
        size_t n = 0, room = 0;

        if (!f) {
                error_set(why, ERROR_USAGE, "%.300s: %s", path, strerror(errno));
                return NULL;
        }
        for (;;) {
                if (n + 1 >= room) {
                        char *more = room < MAX_FILE ? realloc(text, room = room ? room * 2 : 1 << 16) : NULL;
                        if (!more)
                                break;
                        text = more;
                }
                size_t k = fread(text + n, 1, room - n - 1, f);
                n += k;
                if (!k) {
                        text[n] = 0;
                        if (ferror(f) || strlen(text) != n)
                                break;
                        fclose(f);
                        return text;
                }
        }
        fclose(f);
        free(text);
        error_set(why, ERROR_USAGE, "%.300s is not the report of a shard; name files of check --shard I/N --json",
                  path);
        return NULL;
}

/* What follows the key, after its colon; NULL: it is not there.  A quote inside a string has a backslash before it. */
static const char *after_key(const char *text, const char *key)
{
        const char *at = text;

        while (at && (at = strstr(at, key))) {
                const char *next = at + strlen(key) + strspn(at + strlen(key), " \t\r\n");

                if (*next == ':' && (at == text || at[-1] != '\\'))
                        return next + 1 + strspn(next + 1, " \t\r\n");
                at++;
        }
        return NULL;
}

static unsigned char *find_data(const char *text, size_t *n)
{
        const char *at = after_key(text, "\"shard\"");

        at = at && *at == '{' ? after_key(at, "\"data\"") : NULL;
        if (!at || *at != '"')
                return NULL;
        return base64_decode(at + 1, strcspn(at + 1, "\""), n);
}

static void get_part(struct stream *in, struct stream *part)
{
        uint32_t n;

        part->at = stream_get_array(in, MAX_PART, 1, &n);
        part->n = part->room = n;
}

static bool get_classes(struct result_shard *x, struct stream *in)
{
        uint32_t n;

        x->shown = stream_get_array(in, MAX_PART, sizeof *x->shown, &x->n_shown);
        n = stream_get_count(in, MAX_PART, sizeof(uint64_t) + sizeof(uint32_t));
        x->classes = calloc((size_t)n + 1, sizeof *x->classes);
        if (!x->classes)
                return false;
        for (uint32_t i = 0; i < n; i++) {
                x->classes[i].hash = stream_get_u64(in);
                x->classes[i].shown = stream_get_u32(in);
                if (x->classes[i].shown >= x->n_shown)
                        return false;
        }
        x->n_classes = n;
        return true;
}

static bool get_shard(struct result_shard *x, struct stream *in)
{
        uint32_t head[6], n;
        uint64_t figures[3];

        stream_get(in, head, sizeof head);
        stream_get(in, figures, sizeof figures);
        stream_get(in, x->identity, sizeof x->identity);
        *x = (struct result_shard){.index = head[0],
                                   .of = head[1],
                                   .in_plan = head[2] & 1,
                                   .replaced = head[2] >> 1 & 1,
                                   .full = head[3] & 1,
                                   .tasks = head[4],
                                   .own = head[5],
                                   .plan = figures[0],
                                   .planned = figures[1],
                                   .extra = figures[2],
                                   .identity = {x->identity[0], x->identity[1], x->identity[2], x->identity[3]}};
        x->knowledge = stream_get_array(in, MAX_PART, 1, &n);
        x->n_knowledge = n;
        return get_classes(x, in) && !in->failed && x->index && x->index <= x->of;
}

static bool get_all(struct shard_file *f, struct stream *in)
{
        if (!get_shard(&f->shard, in))
                return false;
        for (size_t i = 0; i < sizeof f->info / sizeof *f->info; i++)
                f->info[i] = stream_get_text(in, MAX_WORD);
        f->flags = stream_get_max(in, 7);
        f->leaks = stream_get_max(in, LEAKS_OFF);
        f->ignored = stream_get_u32(in);
        get_part(in, &f->facts);
        get_part(in, &f->result);
        get_part(in, &f->findings);
        get_part(in, &f->names);
        return stream_done(in);
}

int shard_file_read(struct shard_file *f, const char *path, struct error *why)
{
        char *text = read_whole(path, why);
        struct shard_head head = {0};
        struct stream in = STREAM_INIT;
        bool ok;

        *f = (struct shard_file){0};
        if (!text)
                return -1;
        in.at = find_data(text, &in.n);
        free(text);
        if (!in.at) {
                error_set(why, ERROR_USAGE,
                          "%.300s is not the report of a shard; name files of check --shard I/N --json", path);
                return -1;
        }
        stream_get(&in, &head, sizeof head);
        ok = !in.failed && head.magic == SHARD_MAGIC && head.version == SHARD_VERSION && head.length == in.n - in.pos &&
             stream_hash(0, in.at + in.pos, in.n - in.pos) == head.hash;
        ok = ok && get_all(f, &in);
        stream_fini(&in);
        if (ok)
                return 0;
        shard_file_fini(f);
        error_set(why, ERROR_USAGE, "%.300s is damaged, or was written by another version of heddle", path);
        return -1;
}

int shard_file_known(struct session *s)
{
        struct identity own = identity_of_session(s);

        for (uint32_t i = 0; i < s->config->n_known; i++) {
                const char *path = s->config->known[i], *differs;
                struct shard_file f;
                struct stream in;
                int e;

                if (shard_file_read(&f, path, s->why))
                        return ERROR_USAGE;
                differs = identity_differs((const struct identity *)f.shard.identity, &own);
                in = (struct stream){.at = f.shard.knowledge, .n = f.shard.n_knowledge};
                e = differs ? 0 : i ? knowledge_merge(&s->run, &in) : knowledge_load(&s->run, &in);
                shard_file_fini(&f);
                if (differs)
                        return error_set(s->why, ERROR_USAGE, "--known: %.300s belongs to %s", path, differs);
                if (e)
                        return error_set(s->why, ERROR_USAGE, "--known: %.300s is damaged", path);
        }
        s->run.doubtful = false;
        return RUN_OK;
}

static bool get_observed(struct facts *f, struct stream *in)
{
        uint32_t n = stream_get_max(in, MAX_LIST);

        f->observed = calloc(n + 1, sizeof *f->observed);
        for (uint32_t i = 0; f->observed && i < n && !in->failed; i++) {
                struct observed *o = &f->observed[f->n_observed++];
                uint32_t kind;

                o->name = stream_get_text(in, MAX_WORD);
                o->addr = stream_get_u64(in);
                o->size = stream_get_max(in, 8);
                kind = stream_get_max(in, 15);
                o->is_signed = kind & 1;
                o->is_pointer = kind >> 1 & 1;
                o->is_bool = kind >> 2 & 1;
                o->is_char = kind >> 3 & 1;
        }
        return f->observed && !in->failed;
}

static bool get_facts(struct facts *f, struct stream *in)
{
        uint32_t n, flags;
        void *assumed;

        f->modules = stream_get_array(in, WIRE_MAX_MODULES, sizeof *f->modules, &f->n_modules);
        for (uint32_t i = 0; i < f->n_modules; i++)
                f->modules[i].path[sizeof f->modules[i].path - 1] = 0;
        if (!get_observed(f, in))
                return false;
        assumed = stream_get_array(in, WIRE_MAX_ASSUMED, sizeof *f->assumed, &f->n_assumed);
        if (assumed)
                memcpy(f->assumed, assumed, f->n_assumed * sizeof *f->assumed);
        free(assumed);
        for (uint32_t i = 0; i < f->n_assumed; i++)
                f->assumed[i][sizeof f->assumed[i] - 1] = 0;
        n = stream_get_max(in, MAX_LIST);
        for (uint32_t i = 0; i < n && !in->failed; i++) {
                char *text = stream_get_text(in, MAX_WORD);
                int e = text ? facts_exclude(f, "%s", text) : -1;

                free(text);
                if (e)
                        return false;
        }
        flags = stream_get_max(in, 7);
        f->unfiltered = flags & 1;
        f->instrumented = flags >> 1 & 1;
        f->forked = flags >> 2 & 1;
        stream_get(in, f->isolation, sizeof f->isolation);
        f->isolation[sizeof f->isolation - 1] = 0;
        return stream_done(in);
}

int shard_file_facts(struct shard_file *f, struct result *r)
{
        f->facts.pos = 0;
        return get_facts(&r->facts, &f->facts) ? 0 : -1;
}

/* Flags come as bytes. */
static bool sane(const struct minimized *m)
{
        unsigned char flags[5];

        memcpy(&flags[0], &m->tried, 1);
        memcpy(&flags[1], &m->done, 1);
        memcpy(&flags[2], &m->fewest, 1);
        memcpy(&flags[3], &m->timeout, 1);
        memcpy(&flags[4], &m->inflection_known, 1);
        return (flags[0] | flags[1] | flags[2] | flags[3] | flags[4]) <= 1;
}

static bool fits(const struct finding *f, const struct minimized *m, const struct finding_race *races, uint32_t n)
{
        for (uint32_t i = 0; i < n; i++)
                if (races[i].early >= f->trace->n_events || races[i].late >= f->trace->n_events)
                        return false;
        return sane(m) && m->inflection <= f->trace->n_events;
}

/* The failures of the file are those of `r`, from the first on. */
int shard_file_details(struct shard_file *f, struct result *r)
{
        f->findings.pos = 0;
        for (uint32_t i = 0; i < r->n_findings; i++) {
                struct finding *to = &r->findings[i];
                struct minimized m;
                uint32_t n;
                struct finding_race *races;

                stream_get(&f->findings, &m, sizeof m);
                races = stream_get_array(&f->findings, WIRE_MAX_EVENTS, sizeof *races, &n);
                if (f->findings.failed || !fits(to, &m, races, n)) {
                        free(races);
                        return -1;
                }
                to->minimized = m;
                to->races = races;
                to->n_races = n;
        }
        return stream_done(&f->findings) ? 0 : -1;
}

/* Is this line of a place that was read before?  The lines of one place follow each other. */
static bool is_known(struct ptrmap *known, const char *key, const char *word, uint64_t *last)
{
        static char yes;
        uint64_t site = strtoull(word, NULL, 16);

        if (strcmp(key, "place") != 0 || site == *last)
                return false;
        *last = 0;
        if (ptrmap_find(known, site))
                return true;
        *last = site;
        return ptrmap_insert(known, site, &yes) != 0;
}

int shard_file_names(struct shard_file *f, struct symbols *names, struct ptrmap *known)
{
        FILE *text = f->names.n ? fmemopen(f->names.at, f->names.n, "r") : NULL;
        struct error why;
        struct words w = {.f = text, .name = "names", .why = &why};
        uint64_t last = 0;
        int more = 0;

        while (text && (more = words_line(&w)) > 0) {
                const char *key = words_next(&w);

                if (!is_known(known, key, w.at, &last) && filenames_read(&w, key, names) < 0) {
                        more = -1;
                        break;
                }
        }
        if (text) {
                words_fini(&w);
                fclose(text);
        }
        return more;
}
