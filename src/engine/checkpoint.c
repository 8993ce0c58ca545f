/*
 * Checkpoints.
 *
 *     magic, version, length and hash of the rest
 *     whose it is: heddle with the runtime and libraries, the program, the options
 *     what the session knows: isolation, pool, names of threads, shared memory
 *     the result so far, the strategy's state, or those of several explorers (coordinator_state.c)
 *
 * A file is written beside the old one, flushed to the disk and renamed over it, so there is a whole one at any moment.
 * Invariant of load: the session and its result are changed only by what was checked.  A file whose hash is right may
 * still be the work of a stranger: it can cost a wrong verdict, but no wild access.
 *
 * The environment is stored too, and the program gets that one again: where its stack begins depends on it.  Of variables
 * whose values the program has not asked for there is only the name, the length and a hash.  What else it reads (files, standard
 * input) is not part of the identity: as between two executions, it must be the same.
 */
#include "engine/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "verdict/result_state.h"
#include "engine/identity.h"
#include "engine/knowledge.h"
#include "strategy/registry.h"
#include "target/spawn.h"

#define VERSION  8u
#define MAX_FILE (UINT64_C(1) << 34)

struct head {
        char magic[16];
        uint32_t version, pad;
        uint64_t length, hash; /* of what follows */
};

static const char magic[16] = "heddle-save\n";

/* Files. */

/* Reads or writes n bytes and no less. */
static int transfer(int fd, void *at, size_t n, bool out)
{
        char *p = at;

        while (n > 0) {
                ssize_t k = out ? write(fd, p, n) : read(fd, p, n);
                if (k < 0 && errno == EINTR)
                        continue;
                if (k <= 0)
                        return -1;
                p += k;
                n -= (size_t)k;
        }
        return 0;
}

/* A rename is on the disk when its folder is. */
static void flush_folder(const char *path)
{
        char copy[PATH_MAX];
        int fd;

        snprintf(copy, sizeof copy, "%s", path);
        fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd >= 0) {
                fsync(fd);
                close(fd);
        }
}

static int write_file(const char *path, struct head *head, const struct stream *body)
{
        char part[PATH_MAX];
        int fd, e, n = snprintf(part, sizeof part, "%s.XXXXXX.part", path);

        if (n < 0 || (size_t)n >= sizeof part) {
                errno = ENAMETOOLONG;
                return -1;
        }
        fd = mkostemps(part, (int)strlen(".part"), O_CLOEXEC); /* a new file, and ours alone */
        if (fd < 0)
                return -1;
        e = transfer(fd, head, sizeof *head, true) || transfer(fd, body->at, body->n, true) || fsync(fd);
        e |= close(fd);
        if (!e && !rename(part, path)) {
                flush_folder(path);
                return 0;
        }
        e = errno;
        unlink(part);
        errno = e;
        return -1;
}

/* Is there a file that is not ours to replace? */
static bool foreign(const char *path)
{
        struct head head;
        struct stat st;
        int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        bool ours;

        if (fd < 0)
                return errno != ENOENT;
        ours = !fstat(fd, &st) && S_ISREG(st.st_mode) &&
               (st.st_size == 0 ||
                (!transfer(fd, &head, sizeof head, false) && !memcmp(head.magic, magic, sizeof magic)));
        close(fd);
        return !ours;
}

bool checkpoint_due(const struct session *s, double now)
{
        return s->config->save && now - s->progress.saved >= s->config->save_seconds;
}

static int save(struct session *s, const struct strategy *strategy, const struct stream *shared)
{
        const char *path = s->config->save;
        struct stream body = STREAM_INIT;
        struct head head = {.version = VERSION};
        struct identity id = identity_of_session(s);
        int e;

        stream_put(&body, &id, sizeof id);
        spawn_env_save(&s->program.target.spawn, s->program.target.up->env_read, &body);
        stream_put_u32(&body, s->progress.ended);
        knowledge_save(&s->program, &body);
        progress_take_predictions(strategy, &s->result->stats);
        result_save(s->result, &body);
        stream_put_text(&body, strategy->ops->persist->format);
        stream_put_u32(&body, shared != NULL);
        if (shared)
                stream_put(&body, shared->at, shared->n);
        else
                strategy->ops->persist->save(strategy, &body);
        memcpy(head.magic, magic, sizeof magic);
        head.length = body.n;
        head.hash = stream_hash(0, body.at, body.n);
        errno = ENOMEM;
        e = body.failed || write_file(path, &head, &body);
        stream_fini(&body);
        s->progress.saved = clock_now();
        return e ? error_set(s->why, ERROR_USAGE, "--save: cannot write %.300s: %s", path, strerror(errno)) : RUN_OK;
}

int checkpoint_begin(struct session *s, const struct strategy *strategy)
{
        if (!strategy->ops->persist)
                return error_set(s->why, ERROR_USAGE,
                                 "--save: an exploration by --strategy %s cannot be stored; leave it out",
                                 strategy_row(s->config->strategy)->name);
        if (foreign(s->config->save))
                return error_set(s->why, ERROR_USAGE,
                                 "--save: %.300s exists and is not a checkpoint; name another file", s->config->save);
        return s->progress.shared.n ? RUN_OK : save(s, strategy, NULL); /* what was taken up is there already */
}

void checkpoint_keep(struct session *s, const struct strategy *strategy, const struct stream *shared)
{
        s->result->not_saved[0] = 0;
        if (save(s, strategy, shared) != RUN_OK)
                snprintf(s->result->not_saved, sizeof s->result->not_saved, "%s", s->why->text);
}

/* The body of the file: RUN_OK, or ERROR_USAGE with `why`. */
static int read_body(struct session *s, struct stream *body)
{
        const char *path = s->config->resume;
        struct head head;
        int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), e = RUN_OK;

        if (fd < 0)
                return error_set(s->why, ERROR_USAGE, "--resume: cannot read %.300s: %s", path, strerror(errno));
        if (transfer(fd, &head, sizeof head, false) || memcmp(head.magic, magic, sizeof magic))
                e = error_set(s->why, ERROR_USAGE,
                              "--resume: %.300s is not a checkpoint; name a file that --save wrote", path);
        else if (head.version != VERSION)
                e = error_set(
                        s->why, ERROR_USAGE,
                        "--resume: %.300s has version %u, but this heddle reads version %u; start without --resume",
                        path, head.version, VERSION);
        else if (head.length > MAX_FILE || !(body->at = malloc(head.length + 1)) ||
                 transfer(fd, body->at, head.length, false) || stream_hash(0, body->at, head.length) != head.hash)
                e = error_set(s->why, ERROR_USAGE, "--resume: %.300s is damaged; start without --resume", path);
        else
                body->n = body->room = head.length;
        close(fd);
        return e;
}

static int check_identity(struct session *s, struct stream *body)
{
        const char *path = s->config->resume;
        struct identity own = identity_of_session(s), id;

        stream_get(body, &id, sizeof id);
        if (id.program != own.program)
                return error_set(s->why, ERROR_USAGE,
                                 "--resume: %.300s belongs to another program, another build of it, or other arguments",
                                 path);
        if (id.options != own.options)
                return error_set(s->why, ERROR_USAGE,
                                 "--resume: %.300s was written with other options; give the same ones", path);
        if (id.heddle != own.heddle)
                return error_set(s->why, ERROR_USAGE,
                                 "--resume: %.300s was written by another build of heddle, or with other libraries; "
                                 "start without --resume",
                                 path);
        return RUN_OK;
}

/* Of one explorer, or what several have left: coordinator_explore() takes that up. */
static bool load_strategy(struct session *s, struct strategy *strategy, struct stream *body)
{
        uint32_t n;

        if (!stream_get_max(body, 1))
                return strategy->ops->persist && !strategy->ops->persist->load(strategy, body) && stream_done(body);
        n = stream_get_max(body, 65536);
        for (uint32_t i = 0; i < n; i++)
                if (result_merge(s->result, body))
                        return false;
        stream_put(&s->progress.shared, body->at + body->pos, body->n - body->pos);
        return (strategy->ops->share || strategy->ops->parts) && !body->failed && s->progress.shared.n &&
               !s->progress.shared.failed;
}

/* The strategy that the file is of: what took the place of the one that was asked for, where that did not model everything. */
static struct strategy *strategy_of_file(struct session *s, struct strategy *strategy, const char *name)
{
        struct strategy *instead;

        if (!name || !strategy->replaceable ||
            (strategy->ops->persist && !strcmp(name, strategy->ops->persist->format)))
                return strategy;
        instead = strategy_create_instead(s->config, program_has_blocks(&s->program),
                                          "what the exploration that is continued has met");
        if (!instead)
                return strategy;
        strategy->ops->destroy(strategy);
        s->strategy = instead;
        return instead;
}

int checkpoint_load(struct session *s, struct strategy *strategy)
{
        struct stream body = STREAM_INIT;
        char *name = NULL;
        int e = read_body(s, &body);

        if (e == RUN_OK)
                e = check_identity(s, &body);
        if (e == RUN_OK) {
                bool ok = !spawn_env_load(&s->program.target.spawn, &body);
                s->progress.ended = stream_get_max(&body, 1);
                ok = ok && !knowledge_load(&s->run, &body) && !result_merge(s->result, &body);
                name = ok ? stream_get_text(&body, 64) : NULL;
                strategy = strategy_of_file(s, strategy, name);
                if (name && (!strategy->ops->persist || strcmp(name, strategy->ops->persist->format)))
                        e = error_set(s->why, ERROR_USAGE, "--resume: %.300s is of strategy '%.64s': %s --jobs",
                                      s->config->resume, name, s->config->jobs > 1 ? "leave out" : "give");
                else if (!name || !load_strategy(s, strategy, &body))
                        e = error_set(s->why, ERROR_USAGE, "--resume: %.300s is damaged; start without --resume",
                                      s->config->resume);
        }
        s->progress.before = s->result->stats.seconds;
        free(name);
        stream_fini(&body);
        return e;
}
