/* What all stores have in common. */
#include "parallel/store/jobstore.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

#define SEAL UINT64_C(0x6a6f622d68656464)
#define LOOK 0.08 /* seconds between looks into a directory */

const char *jobstore_blob_name(enum jobstore_blob which)
{
        static const char *const names[BLOBS] = {
                [BLOB_HEAD] = "head", [BLOB_STATE] = "state", [BLOB_TOLD] = "news", [BLOB_WORLD] = "world"};

        return names[which];
}

static uint64_t hash_of(const struct stream *body, const struct jobstore *s, uint32_t what, uint64_t id)
{
        uint64_t of[] = {s ? s->search : 0, what, id};

        return stream_hash(stream_hash(SEAL, of, sizeof of), body->at + body->pos, body->n - body->pos);
}

void jobstore_seal(struct stream *out, const struct stream *body, const struct jobstore *s, uint32_t what, uint64_t id)
{
        stream_reset(out);
        stream_put_u64(out, SEAL);
        stream_put_u64(out, hash_of(body, s, what, id));
        stream_put(out, body->at, body->n);
        out->failed |= body->failed;
}

bool jobstore_unseal(struct stream *body, const struct jobstore *s, uint32_t what, uint64_t id)
{
        uint64_t seal = stream_get_u64(body), hash = stream_get_u64(body);

        return !body->failed && seal == SEAL && hash_of(body, s, what, id) == hash;
}

const char *jobstore_self(void)
{
        static char name[128];
        static pid_t whose;
        struct utsname host;

        if (whose != getpid()) {
                whose = getpid();
                if (uname(&host))
                        strcpy(host.nodename, "host");
                for (char *p = host.nodename; *p; p++)
                        if (*p == '.' || *p == '/')
                                *p = '-';
                snprintf(name, sizeof name, "%.64s-%d-%llx", host.nodename, (int)whose,
                         (unsigned long long)(clock_now() * 1e6));
        }
        return name;
}

bool jobstore_gone(const char *name)
{
        const char *self = jobstore_self(), *dash;
        size_t host;
        int pid;

        dash = strrchr(self, '-');
        while (dash > self && *--dash != '-')
                ;
        host = (size_t)(dash - self) + 1;
        if (strncmp(name, self, host) != 0 || sscanf(name + host, "%d-", &pid) != 1)
                return false;
        return kill(pid, 0) && errno == ESRCH;
}

void jobstore_nap(double seconds)
{
        struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};

        nanosleep(&t, NULL);
}

int jobstore_wait(struct jobstore *s, double seconds)
{
        (void)s;
        jobstore_nap(seconds < LOOK ? seconds : LOOK);
        return 0;
}
