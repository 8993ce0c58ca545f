/*
 * A directory as a store of jobs.
 *
 *     head state news world     blobs, each written beside and renamed
 *     leader                    of the coordinator; its name, and its lease: the time of the file
 *     jobs/ID                   free
 *     taken/ID.WORKER           taken: renamed from jobs/ID; the lease is the time of the file
 *     results/ID                linked, so that the first one stays
 *     workers/WORKER            what a worker tells of itself
 *     part/                     files under way
 *
 * Renames and links are atomic, on NFS too.  Times are those of the file server: what is compared with a file's time is the time of
 * a file that was touched just now.
 */
#include "parallel/store/spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_BLOB (UINT64_C(1) << 32)

struct spool {
        struct jobstore base;
        char path[PATH_MAX - 300];
        uint64_t n_parts;
        char taken[PATH_MAX]; /* the file of the job that was taken last */
        DIR *results;         /* being read */
};

static struct spool *of(struct jobstore *s)
{
        return (struct spool *)s;
}

static int failed(struct spool *s, const char *what)
{
        error_set(&s->base.why, ERROR_USAGE, "--spool %.300s: %s: %s", s->path, what, strerror(errno));
        return -1;
}

/* DIR/folder/name, where folder may be empty. */
static const char *file(const struct spool *s, char out[PATH_MAX], const char *folder, const char *name)
{
        snprintf(out, PATH_MAX, "%s/%s%s%.200s", s->path, folder, *folder ? "/" : "", name);
        return out;
}

static const char *job_file(const struct spool *s, char out[PATH_MAX], const char *folder, uint64_t id)
{
        char name[32];

        snprintf(name, sizeof name, "%016llx", (unsigned long long)id);
        return file(s, out, folder, name);
}

static bool write_all(int fd, const void *from, size_t n)
{
        const char *p = from;

        while (n) {
                ssize_t k = write(fd, p, n);
                if (k < 0 && errno == EINTR)
                        continue;
                if (k <= 0)
                        return false;
                p += k;
                n -= (size_t)k;
        }
        return true;
}

/* A new file under way, whole and, if it must survive, on the disk; its name in `part`. */
static int write_part(struct spool *s, const struct stream *body, bool keep, char part[PATH_MAX])
{
        char name[200];
        int fd;
        bool ok;

        snprintf(name, sizeof name, "%s.%llu", jobstore_self(), (unsigned long long)s->n_parts++);
        file(s, part, "part", name);
        fd = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600); /* the environment's names are in it */
        if (fd < 0)
                return -1;
        ok = !body || write_all(fd, body->at, body->n);
        ok = ok && (!keep || !fsync(fd));
        ok = !close(fd) && ok;
        if (ok)
                return 0;
        int saved = errno;
        unlink(part);
        errno = saved;
        return -1;
}

static int replace(struct spool *s, const char *to, const struct stream *body, bool keep, const char *what)
{
        char part[PATH_MAX];

        if (body->failed)
                errno = ENOMEM;
        if (body->failed || write_part(s, body, keep, part))
                return failed(s, what);
        if (!rename(part, to))
                return 0;
        int saved = errno;
        unlink(part);
        errno = saved;
        return failed(s, what);
}

/* 1, 0: it is not there, -1. */
static int read_file(struct spool *s, const char *path, struct stream *body)
{
        int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK); /* not a pipe that waits */
        struct stat st;
        ssize_t k;

        stream_reset(body);
        if (fd < 0)
                return errno == ENOENT || errno == ESTALE ? 0 : failed(s, "cannot read");
        if (fstat(fd, &st) || !S_ISREG(st.st_mode) || (uint64_t)st.st_size > MAX_BLOB) {
                close(fd);
                errno = EINVAL;
                return failed(s, "not a file of a search");
        }
        do {
                unsigned char chunk[65536];
                k = read(fd, chunk, sizeof chunk);
                if (k > 0)
                        stream_put(body, chunk, (size_t)k);
        } while (k > 0 && !body->failed);
        close(fd);
        return k < 0 || body->failed ? failed(s, "cannot read") : 1;
}

/* The present time of the file server; 0: unknown. */
static double server_now(struct spool *s)
{
        char part[PATH_MAX];
        struct stat st;
        double now = 0;

        if (write_part(s, NULL, false, part))
                return 0;
        if (!stat(part, &st))
                now = (double)st.st_mtim.tv_sec + (double)st.st_mtim.tv_nsec * 1e-9;
        unlink(part);
        return now;
}

static double age_of(const struct stat *st, double now)
{
        return now - ((double)st->st_mtim.tv_sec + (double)st->st_mtim.tv_nsec * 1e-9);
}

static void spool_close(struct jobstore *base)
{
        if (of(base)->results)
                closedir(of(base)->results);
        free(base);
}

static int spool_lead(struct jobstore *base, double lease)
{
        struct spool *s = of(base);
        struct stream body = STREAM_INIT;
        char path[PATH_MAX], part[PATH_MAX], was[PATH_MAX];
        struct stat st;
        double now;
        int e = read_file(s, file(s, path, "", "leader"), &body);

        if (e < 0)
                return e;
        stream_put(&body, "", 1);
        if (e && !strcmp((char *)body.at, jobstore_self())) {
                stream_fini(&body);
                return utimensat(AT_FDCWD, path, NULL, 0) ? failed(s, "leader") : 1;
        }
        now = e ? server_now(s) : 0;
        if (e && !jobstore_gone((char *)body.at) && !stat(path, &st) && age_of(&st, now) < lease) {
                stream_fini(&body);
                return 0;
        }
        if (e) { /* one of those that try it takes the old file away */
                snprintf(was, sizeof was, "%.*s.%.150s", PATH_MAX - 200, path, jobstore_self());
                if (!rename(path, was))
                        unlink(was);
        }
        stream_reset(&body);
        stream_put(&body, jobstore_self(), strlen(jobstore_self()));
        e = write_part(s, &body, true, part) ? failed(s, "cannot write") : 0;
        if (!e && link(part, path))
                e = errno == EEXIST ? 0 : failed(s, "leader");
        else if (!e)
                e = 1;
        unlink(part);
        stream_fini(&body);
        return e;
}

static int spool_get(struct jobstore *base, enum jobstore_blob which, struct stream *body)
{
        char path[PATH_MAX];

        return read_file(of(base), file(of(base), path, "", jobstore_blob_name(which)), body);
}

static int spool_put(struct jobstore *base, enum jobstore_blob which, const struct stream *body)
{
        char path[PATH_MAX];

        return replace(of(base), file(of(base), path, "", jobstore_blob_name(which)), body, true, "cannot write");
}

/* Calls f for every file of a folder, until it answers other than 0. */
static int each(struct spool *s, const char *folder, int (*f)(struct spool *s, const char *name, void *arg), void *arg)
{
        char path[PATH_MAX];
        DIR *d = opendir(file(s, path, folder, "."));
        struct dirent *e;
        int r = 0;

        if (!d)
                return failed(s, "cannot read");
        while (!r && (e = readdir(d)))
                if (e->d_name[0] != '.')
                        r = f(s, e->d_name, arg);
        closedir(d);
        return r;
}

static bool id_of(const char *name, uint64_t *id)
{
        unsigned long long v;
        int n = 0;

        if (sscanf(name, "%16llx%n", &v, &n) != 1 || n != 16)
                return false;
        *id = v;
        return true;
}

static int same_id(struct spool *s, const char *name, void *arg)
{
        uint64_t id;

        (void)s;
        return id_of(name, &id) && id == *(uint64_t *)arg;
}

static int spool_publish(struct jobstore *base, uint64_t id, const struct stream *body)
{
        struct spool *s = of(base);
        char path[PATH_MAX];
        struct stat st;

        if (!stat(job_file(s, path, "jobs", id), &st) || !stat(job_file(s, path, "results", id), &st) ||
            each(s, "taken", same_id, &id) > 0)
                return 0;
        return replace(s, job_file(s, path, "jobs", id), body, true, "cannot write a job");
}

struct expiry {
        double now, lease;
};

static int expire_one(struct spool *s, const char *name, void *arg)
{
        const struct expiry *x = arg;
        char from[PATH_MAX], to[PATH_MAX];
        struct stat st;
        uint64_t id;

        if (!id_of(name, &id) || stat(file(s, from, "taken", name), &st) ||
            (age_of(&st, x->now) < x->lease && !jobstore_gone(name + 17)))
                return 0;
        (void)!rename(from, job_file(s, to, "jobs", id)); /* the worker may have ended it meanwhile */
        return 0;
}

static int spool_expire(struct jobstore *base, double lease)
{
        struct expiry x = {server_now(of(base)), lease};

        return x.now > 0 ? each(of(base), "taken", expire_one, &x) : failed(of(base), "cannot write");
}

static void spool_rewind(struct jobstore *base)
{
        if (of(base)->results)
                closedir(of(base)->results);
        of(base)->results = NULL;
}

static int spool_result(struct jobstore *base, uint64_t *id, struct stream *body)
{
        struct spool *s = of(base);
        char path[PATH_MAX];
        struct dirent *e;

        if (!s->results && !(s->results = opendir(file(s, path, "results", "."))))
                return failed(s, "cannot read");
        while ((e = readdir(s->results)))
                if (id_of(e->d_name, id) && !e->d_name[16]) {
                        int r = read_file(s, file(s, path, "results", e->d_name), body);
                        if (r)
                                return r;
                }
        return 0;
}

static int remove_taken(struct spool *s, const char *name, void *arg)
{
        char path[PATH_MAX];

        if (same_id(s, name, arg))
                unlink(file(s, path, "taken", name));
        return 0;
}

static int spool_remove(struct jobstore *base, uint64_t id)
{
        struct spool *s = of(base);
        char path[PATH_MAX];

        unlink(job_file(s, path, "jobs", id));
        unlink(job_file(s, path, "results", id));
        return each(s, "taken", remove_taken, &id);
}

static int remove_any(struct spool *s, const char *name, void *arg)
{
        char path[PATH_MAX];

        unlink(file(s, path, arg, name));
        return 0;
}

static int spool_clear(struct jobstore *base)
{
        static const char *const folders[] = {"jobs", "taken", "results", "workers"};
        static const char *const files[] = {"state", "head", "world"};
        struct spool *s = of(base);
        char path[PATH_MAX];
        int e = 0;

        for (size_t i = 0; i < 3; i++)
                unlink(file(s, path, "", files[i]));
        for (size_t i = 0; i < 4 && !e; i++)
                e = each(s, folders[i], remove_any, (void *)folders[i]);
        return e;
}

struct take {
        uint64_t id;
        struct stream *body;
};

static int take_one(struct spool *s, const char *name, void *arg)
{
        struct take *t = arg;
        char from[PATH_MAX], mine[200];

        if (!id_of(name, &t->id) || name[16])
                return 0;
        snprintf(mine, sizeof mine, "%s.%s", name, jobstore_self());
        file(s, s->taken, "taken", mine);
        file(s, from, "jobs", name);
        (void)!utimensat(AT_FDCWD, from, NULL, 0); /* the lease begins now: a rename keeps the time */
        if (rename(from, s->taken))
                return errno == ENOENT || errno == ESTALE ? 0 : failed(s, "cannot take a job");
        return read_file(s, s->taken, t->body);
}

static int spool_take(struct jobstore *base, uint64_t *id, struct stream *body, double seconds)
{
        struct take t = {0, body};
        int e = each(of(base), "jobs", take_one, &t);

        *id = t.id;
        if (!e)
                jobstore_wait(base, seconds);
        return e;
}

/* A job that another worker has by now is done by both: the first result counts. */
static int spool_renew(struct jobstore *base, uint64_t id)
{
        (void)id;
        (void)!utimensat(AT_FDCWD, of(base)->taken, NULL, 0);
        return 0;
}

/* It need not be on the disk: an answer that a crash has damaged is noticed (jobstore_unseal), and the job is done again. */
static int spool_answer(struct jobstore *base, uint64_t id, const struct stream *body)
{
        struct spool *s = of(base);
        char part[PATH_MAX], path[PATH_MAX];
        int e;

        if (body->failed || write_part(s, body, false, part))
                return failed(s, "cannot write a result");
        e = link(part, job_file(s, path, "results", id)) && errno != EEXIST ? failed(s, "cannot write a result") : 0;
        unlink(part);
        if (!e)
                unlink(s->taken);
        return e;
}

static int spool_tell(struct jobstore *base, const struct stream *body)
{
        char path[PATH_MAX];

        return replace(of(base), file(of(base), path, "workers", jobstore_self()), body, false, "cannot write");
}

struct listing {
        double now, seconds;
        void (*f)(void *arg, const char *name, struct stream *body);
        void *arg;
};

static int list_one(struct spool *s, const char *name, void *arg)
{
        const struct listing *l = arg;
        struct stream body = STREAM_INIT;
        char path[PATH_MAX];
        struct stat st;

        if (!stat(file(s, path, "workers", name), &st) && age_of(&st, l->now) > l->seconds)
                unlink(path);
        else if (read_file(s, path, &body) > 0)
                l->f(l->arg, name, &body);
        stream_fini(&body);
        return 0;
}

static int spool_workers(struct jobstore *base, double seconds,
                         void (*f)(void *arg, const char *name, struct stream *body), void *arg)
{
        struct listing l = {server_now(of(base)), seconds, f, arg};

        return each(of(base), "workers", list_one, &l);
}

static const struct jobstore_ops spool_ops = {
        .close = spool_close,
        .lead = spool_lead,
        .get = spool_get,
        .put = spool_put,
        .publish = spool_publish,
        .expire = spool_expire,
        .result = spool_result,
        .rewind = spool_rewind,
        .remove = spool_remove,
        .clear = spool_clear,
        .take = spool_take,
        .renew = spool_renew,
        .answer = spool_answer,
        .tell = spool_tell,
        .workers = spool_workers,
        .wait = jobstore_wait,
};

struct jobstore *spool_open(const char *path, struct error *why)
{
        static const char *const folders[] = {".", "jobs", "taken", "results", "workers", "part"};
        struct spool *s = calloc(1, sizeof *s);
        char folder[PATH_MAX];

        if (!s || strlen(path) >= sizeof s->path) {
                error_set(why, ERROR_USAGE, "--spool: the name of the directory is too long");
                free(s);
                return NULL;
        }
        s->base.ops = &spool_ops;
        snprintf(s->path, sizeof s->path, "%s", path);
        for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
                if (mkdir(i ? file(s, folder, "", folders[i]) : path, 0777) && errno != EEXIST) {
                        error_set(why, ERROR_USAGE, "--spool %.300s: cannot make a directory there: %s", path,
                                  strerror(errno));
                        free(s);
                        return NULL;
                }
        return &s->base;
}
