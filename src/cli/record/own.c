/* See own.h.  The target keeps the branches (rt/user/path_keep.c); its threads and its failure are those of the trace. */
#include "cli/record/own.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "binary/instrumentation.h"
#include "cli/list.h"
#include "cli/record/record.h"
#include "cli/record/save.h"
#include "cli/status.h"
#include "record/collect.h"
#include "target/build_fingerprint.h"
#include "target/spawn.h"

#define RING (1u << 20)

int own_begin(struct own *o, const struct command *c)
{
        struct watched_file watched;
        int fd = spawn_memory("heddle-recording");
        void *at = MAP_FAILED;

        if (watched_scan(c->options.config.program, &watched) || !watched.paths)
                return status_usage("%s does not record its paths; build it with heddle cc --record",
                                    c->options.config.program);
        if (fd >= 0 && ftruncate(fd, (off_t)rec_size(RING)) == 0)
                at = mmap(NULL, rec_size(RING), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (at == MAP_FAILED)
                return status_internal("cannot share memory with the program: %s", strerror(errno));
        o->memory = at;
        o->memory->magic = REC_MAGIC;
        o->memory->ring = RING;
        o->fd = fd;
        setenv(REC_ENV, list_format("/proc/%d/fd/%d", (int)getpid(), fd), 1);
        return 0;
}

void own_close(struct own *o)
{
        unsetenv(REC_ENV);
        munmap(o->memory, rec_size(RING));
        close(o->fd);
        o->memory = NULL;
}

uint32_t *own_bits(const struct own *o, const struct trace *t)
{
        uint32_t *bits = list_alloc((t->n_events + 1) * sizeof *bits), at[REC_MAX_THREADS] = {0};

        for (uint32_t i = 0; i < t->n_events; i++) {
                uint32_t actor = t->events[i].actor;
                if (actor >= REC_MAX_THREADS || o->memory->threads[actor].bits > RING)
                        return NULL;
                while (at[actor] < o->memory->threads[actor].bits &&
                       o->memory->entries[(uint64_t)actor * RING + at[actor]].word < t->events[i].pos)
                        at[actor]++;
                bits[i] = at[actor];
        }
        return bits;
}

static uint32_t failure_of(enum finding_kind kind)
{
        switch (kind) {
        case FINDING_ASSERTION: return REC_ASSERTION;
        case FINDING_ABORT: return REC_ABORT;
        case FINDING_EXIT_STATUS: return REC_EXIT;
        case FINDING_DEADLOCK: return REC_HANG;
        case FINDING_CRASH:
        case FINDING_USE_AFTER_FREE:
        case FINDING_DOUBLE_FREE:
        case FINDING_INVALID_FREE:
        case FINDING_OUT_OF_BOUNDS:
        case FINDING_LOCK_MISUSE: return REC_CRASH;
        default: return REC_NONE;
        }
}

/* The stack of a failure that is where the program fails without heddle, too. */
static void fill_stack(struct rec_memory *m, const struct finding *f)
{
        const struct trace *t = f->trace;
        uint64_t sites[WIRE_MAX_STACK + 1];

        if (f->kind != FINDING_CRASH && f->kind != FINDING_ASSERTION && f->kind != FINDING_ABORT)
                return;
        m->n_stack = finding_stack(f->kind, t, f->failure, sites);
        if (m->n_stack > REC_MAX_STACK)
                m->n_stack = REC_MAX_STACK;
        memcpy(m->stack, sites, m->n_stack * sizeof *sites);
        for (uint32_t i = 0; i < t->n_modules && i < REC_MAX_MODULES; i++) {
                m->modules[i].base = t->modules[i].base;
                snprintf(m->modules[i].path, REC_PATH, "%.*s", (int)REC_PATH - 1, t->modules[i].path);
                m->n_modules = i + 1;
        }
}

static void fill(struct rec_memory *m, const struct finding *f)
{
        const struct trace *t = f->trace;
        const struct wire_failure *failure = f->failure < t->n_failures ? &t->failures[f->failure] : NULL;

        m->n_threads = t->n_names;
        for (uint32_t i = 0; i < t->n_names && i < REC_MAX_THREADS; i++) {
                m->threads[i].state = REC_RUNS;
                m->threads[i].parent = i ? t->names[i].parent : 0;
                m->threads[i].nth = i ? t->names[i].nth : 0;
                m->threads[i].last_n = UINT64_MAX;
        }
        m->kind = failure_of(f->kind);
        m->thread = finding_actor(f->kind, t, f->failure);
        m->signal = !failure ? 0 : f->kind == FINDING_EXIT_STATUS ? failure->status : failure->signal;
        snprintf(m->condition, REC_TEXT, "%.*s", (int)REC_TEXT - 1, failure ? failure->text : "");
        fill_stack(m, f);
}

static int write_file(const char *file, const struct recording *rec)
{
        int err = save_recording(file, "--record", rec);

        if (!err)
                status_note("%s is in %s. Reproduce it: heddle reproduce %s", record_describe(rec), file, file);
        return err;
}

extern char **environ;

int own_end(struct own *o, const char *file, const struct command *c, const struct result *r)
{
        const struct config *config = &c->options.config;
        struct recording rec = {.program = list_path(config->program), .folder = list_path("."), .env = environ};
        struct list argv = {0};
        int err = 0;

        if (r->n_findings && failure_of(r->findings[0].kind) == REC_NONE) {
                status_note("a %s cannot be recorded", finding_kind_name(r->findings[0].kind));
        } else if (r->n_findings) {
                fill(o->memory, &r->findings[0]);
                list_add(&argv, config->program);
                for (size_t i = 0; i < c->args.n; i++)
                        list_add(&argv, c->args.words[i]);
                rec.argv = argv.words;
                err = collect(&rec, o->memory, RING) ? status_internal("out of memory") : 0;
                rec.heddle = HEDDLE_VERSION;
                rec.fingerprint = identity_of(config->program);
                err = err ? err : write_file(file, &rec);
        }
        rec.heddle = rec.program = rec.folder = NULL; /* not its own */
        rec.argv = rec.env = NULL;
        recording_fini(&rec);
        own_close(o);
        return err;
}
