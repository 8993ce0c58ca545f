/*
 * Inputs of a recorded program that are not in its arguments, environment and files: clocks, random numbers, and what is read from
 * descriptors.  Each value is an entry of its thread.  Clocks count in nanoseconds, as the runtime does (rt/world/clock.c).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "rt/record/recorder.h"

#define NSEC    UINT64_C(1000000000)
#define ENTROPY 256u /* bytes that are drawn at once, at most */

static void *real_clock_gettime, *real_timespec_get, *real_gettimeofday, *real_time, *real_clock, *real_rand,
        *real_random, *real_getrandom, *real_read, *real_recv, *real_recvfrom, *real_readv, *real_recvmsg,
        *real_connect, *real_pipe2, *real_socketpair, *real_close;

static void note_clock(uint64_t ns)
{
        recorder_input(REC_CLOCK, ns);
}

static void note_time(const struct timespec *ts)
{
        note_clock((uint64_t)ts->tv_sec * NSEC + (uint64_t)ts->tv_nsec);
}

/*
 * What is read from descriptors.  Pipes and pairs of sockets of the program are in its hands: of them only the result is noted, as of
 * what is read from files beyond FILE_BYTES, which must be the same when the program runs again.
 */
#define MOST_BYTES 65536
#define FILE_BYTES 65536
#define OWN_FDS    1024

static uint64_t own[OWN_FDS / 64];
static __thread size_t from_files __attribute__((tls_model("initial-exec")));

static void set_own(int fd, bool is)
{
        if (fd < 0 || fd >= OWN_FDS)
                return;
        if (is)
                __atomic_fetch_or(&own[fd / 64], UINT64_C(1) << fd % 64, __ATOMIC_RELAXED);
        else
                __atomic_fetch_and(&own[fd / 64], ~(UINT64_C(1) << fd % 64), __ATOMIC_RELAXED);
}

static bool is_own(int fd)
{
        return fd >= 0 && fd < OWN_FDS && __atomic_load_n(&own[fd / 64], __ATOMIC_RELAXED) >> fd % 64 & 1;
}

static bool is_kept(int fd, ssize_t n)
{
        struct stat st;

        if (n > MOST_BYTES || is_own(fd))
                return false;
        if (from_files < FILE_BYTES || n < 0) {
                from_files += n > 0 ? (size_t)n : 0;
                return true;
        }
        return !fstat(fd, &st) && !S_ISREG(st.st_mode);
}

static ssize_t note_read(int fd, const struct iovec *v, ssize_t n)
{
        int e = errno;
        bool kept = is_kept(fd, n);

        recorder_read(REC_HEAD(n, n < 0 ? e : 0, kept), v, kept && n > 0 ? (size_t)n : 0);
        errno = e;
        return n;
}

static ssize_t note_one(int fd, void *p, size_t size, ssize_t n)
{
        return note_read(fd, &(struct iovec){p, size}, n);
}

RT_EXPORT ssize_t read(int fd, void *p, size_t n)
{
        ssize_t r = REC_REAL(read)(fd, p, n);

        return rec ? note_one(fd, p, n, r) : r;
}

RT_EXPORT ssize_t recv(int fd, void *p, size_t n, int flags)
{
        ssize_t r = REC_REAL(recv)(fd, p, n, flags);

        return rec ? note_one(fd, p, n, r) : r;
}

RT_EXPORT ssize_t recvfrom(int fd, void *restrict p, size_t n, int flags, struct sockaddr *restrict from,
                           socklen_t *restrict size)
{
        ssize_t r = REC_REAL(recvfrom)(fd, p, n, flags, from, size);

        return rec ? note_one(fd, p, n, r) : r;
}

RT_EXPORT ssize_t readv(int fd, const struct iovec *v, int n)
{
        ssize_t r = REC_REAL(readv)(fd, v, n);

        return rec ? note_read(fd, v, r) : r;
}

RT_EXPORT ssize_t recvmsg(int fd, struct msghdr *m, int flags)
{
        ssize_t r = REC_REAL(recvmsg)(fd, m, flags);

        return rec ? note_read(fd, m->msg_iov, r) : r;
}

RT_EXPORT int connect(int fd, const struct sockaddr *to, socklen_t size)
{
        int r = REC_REAL(connect)(fd, to, size), e = errno;

        if (rec)
                recorder_read(REC_HEAD(r, r < 0 ? e : 0, 0), NULL, 0);
        errno = e;
        return r;
}

RT_EXPORT int pipe2(int fds[2], int flags)
{
        int r = REC_REAL(pipe2)(fds, flags);

        for (int i = 0; !r && i < 2; i++)
                set_own(fds[i], true);
        return r;
}

RT_EXPORT int pipe(int fds[2])
{
        return pipe2(fds, 0);
}

RT_EXPORT int socketpair(int domain, int type, int protocol, int fds[2])
{
        int r = REC_REAL(socketpair)(domain, type, protocol, fds);

        for (int i = 0; !r && i < 2; i++)
                set_own(fds[i], true);
        return r;
}

RT_EXPORT int close(int fd)
{
        set_own(fd, false);
        return REC_REAL(close)(fd);
}

RT_EXPORT int clock_gettime(clockid_t id, struct timespec *ts)
{
        int e = REC_REAL(clock_gettime)(id, ts);

        if (rec && !e)
                note_time(ts);
        return e;
}

RT_EXPORT int timespec_get(struct timespec *ts, int base)
{
        int e = REC_REAL(timespec_get)(ts, base);

        if (rec && e)
                note_time(ts);
        return e;
}

RT_EXPORT int gettimeofday(struct timeval *restrict tv, void *restrict tz)
{
        int e = REC_REAL(gettimeofday)(tv, tz);

        if (rec && !e)
                note_clock((uint64_t)tv->tv_sec * NSEC + (uint64_t)tv->tv_usec * 1000);
        return e;
}

RT_EXPORT time_t time(time_t *out)
{
        time_t t = REC_REAL(time)(out);

        if (rec)
                note_clock((uint64_t)t * NSEC);
        return t;
}

RT_EXPORT clock_t clock(void)
{
        clock_t t = REC_REAL(clock)();

        if (rec)
                note_clock((uint64_t)t * (NSEC / CLOCKS_PER_SEC));
        return t;
}

RT_EXPORT int rand(void)
{
        int n = REC_REAL(rand)();

        if (rec)
                recorder_input(REC_RANDOM, (uint64_t)n);
        return n;
}

RT_EXPORT long random(void)
{
        long n = REC_REAL(random)();

        if (rec)
                recorder_input(REC_RANDOM, (uint64_t)n);
        return n;
}

RT_EXPORT ssize_t getrandom(void *buf, size_t n, unsigned flags)
{
        ssize_t got = REC_REAL(getrandom)(buf, n, flags);

        for (ssize_t i = 0; rec && i < got; i += 8) {
                uint64_t word = 0;
                memcpy(&word, (const char *)buf + i, (size_t)(got - i < 8 ? got - i : 8));
                recorder_input(REC_RANDOM, word);
        }
        return got;
}

RT_EXPORT int getentropy(void *buf, size_t n)
{
        if (n > ENTROPY) {
                errno = EIO;
                return -1;
        }
        return getrandom(buf, n, 0) == (ssize_t)n ? 0 : -1;
}

/* Also for a libc that has none. */
RT_EXPORT void arc4random_buf(void *buf, size_t n);
void arc4random_buf(void *buf, size_t n)
{
        for (size_t at = 0, part; at < n; at += part) {
                part = n - at < ENTROPY ? n - at : ENTROPY;
                while (getentropy((char *)buf + at, part))
                        ;
        }
}

RT_EXPORT uint32_t arc4random(void);
uint32_t arc4random(void)
{
        uint32_t v;

        arc4random_buf(&v, sizeof v);
        return v;
}

/* Numbers below 2^32 mod bound are dropped, so that every rest is as likely as any other. */
RT_EXPORT uint32_t arc4random_uniform(uint32_t bound);
uint32_t arc4random_uniform(uint32_t bound)
{
        uint32_t v;

        if (bound < 2)
                return 0;
        do
                v = arc4random();
        while (v < -bound % bound);
        return v % bound;
}
