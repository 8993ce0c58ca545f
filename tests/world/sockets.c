/*
 * Event loops and sockets between threads: PROGRAM CASE.  A case whose name ends in _wrong must fail.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <unistd.h>

#define PIECE 4096

static int instance[2], ends[2];
static bool wrong;
static long total;
static char piece[PIECE], buffer[65536];
static pthread_barrier_t barrier;

static int watch(int fd, uint32_t events)
{
        struct epoll_event e = {.events = events};
        int epoll = epoll_create1(0);

        assert(!epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e));
        return epoll;
}

static void *two_bytes(void *arg)
{
        write(ends[1], "a", 1);
        write(ends[1], "b", 1);
        return arg;
}

/* Both wake for one byte, and one of them finds nothing. */
static void *one_event(void *arg)
{
        struct epoll_event e;
        char c;
        ssize_t n;

        assert(epoll_wait(*(int *)arg, &e, 1, -1) == 1);
        n = read(ends[0], &c, 1);
        assert(n == 1 || (!wrong && errno == EAGAIN));
        return NULL;
}

static void exclusive(void)
{
        struct epoll_event e = {.events = EPOLLIN | EPOLLEXCLUSIVE};
        pthread_t t[2];

        pipe2(ends, O_NONBLOCK);
        for (int i = 0; i < 2; i++)
                instance[i] = watch(ends[0], EPOLLIN | EPOLLEXCLUSIVE);
        assert(epoll_ctl(instance[0], EPOLL_CTL_MOD, ends[0], &e) == -1 && errno == EINVAL);
        for (int i = 0; i < 2; i++)
                pthread_create(&t[i], NULL, one_event, &instance[i]);
        two_bytes(NULL);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
}

/* wrong: reads one byte for each event. */
static void edge(void)
{
        struct epoll_event e;
        pthread_t t;
        char c;
        int n = 0;

        pipe2(ends, O_NONBLOCK);
        instance[0] = watch(ends[0], EPOLLIN | EPOLLET);
        pthread_create(&t, NULL, two_bytes, NULL);
        while (n < 2) {
                assert(epoll_wait(instance[0], &e, 1, -1) == 1);
                while (read(ends[0], &c, 1) == 1 && ++n && !wrong)
                        ;
        }
        pthread_join(t, NULL);
}

/* wrong: is not armed again. */
static void oneshot(void)
{
        struct epoll_event e;
        pthread_t t;
        char c;

        pipe2(ends, O_NONBLOCK);
        instance[0] = watch(ends[0], EPOLLIN | EPOLLONESHOT);
        pthread_create(&t, NULL, two_bytes, NULL);
        for (int n = 0; n < 2;) {
                assert(epoll_wait(instance[0], &e, 1, -1) == 1);
                n += read(ends[0], &c, 1) == 1;
                e.events = EPOLLIN | EPOLLONESHOT;
                if (!wrong)
                        epoll_ctl(instance[0], EPOLL_CTL_MOD, ends[0], &e);
        }
        pthread_join(t, NULL);
}

static void *answer(void *arg)
{
        int n = 0, k;

        while ((k = (int)read(ends[1], buffer + n, 8)) > 0)
                n += k;
        assert(n == 3 && write(ends[1], "ok", 2) == 2);
        return arg;
}

/* The end of what is sent is not the end of what is received.  wrong: it is never said. */
static void half_closed(void)
{
        struct pollfd p = {.events = POLLIN | POLLRDHUP};
        char c[4];
        pthread_t t;

        signal(SIGPIPE, SIG_IGN);
        socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
        pthread_create(&t, NULL, answer, NULL);
        write(ends[0], "abc", 3);
        assert(wrong || !shutdown(ends[0], SHUT_WR));
        assert(read(ends[0], c, sizeof c) == 2);
        assert(write(ends[0], "x", 1) == -1 && errno == EPIPE);
        pthread_join(t, NULL);
        p.fd = ends[1];
        assert(poll(&p, 1, -1) == 1 && p.revents == (POLLIN | POLLRDHUP));
}

static void *receive(void *arg)
{
        ssize_t k;

        if (arg)
                pthread_barrier_wait(&barrier);
        for (long n = 0; n < total; n += k) {
                k = read(ends[0], buffer, sizeof buffer);
                assert(k > 0);
        }
        return NULL;
}

/* Both ends wait for each other.  wrong: nobody reads. */
static void full(void)
{
        pthread_t t;

        pipe(ends);
        fcntl(ends[1], F_SETPIPE_SZ, PIECE);
        total = 3 * PIECE;
        pthread_create(&t, NULL, wrong ? two_bytes : receive, NULL);
        for (long n = 0; n < total; n += PIECE)
                assert(write(ends[1], piece, PIECE) == PIECE);
        pthread_join(t, NULL);
}

/* A writer that does not wait.  wrong: takes the first answer for the last. */
static void full_nonblocking(void)
{
        struct pollfd p = {.events = POLLOUT};
        pthread_t t;

        socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
        fcntl(ends[1], F_SETFL, O_NONBLOCK);
        pthread_barrier_init(&barrier, NULL, 2);
        pthread_create(&t, NULL, receive, &barrier);
        for (ssize_t k; (k = write(ends[1], piece, sizeof piece)) > 0;)
                total += k;
        assert(errno == EAGAIN);
        total += 10;
        pthread_barrier_wait(&barrier);
        p.fd = ends[1];
        for (int n = 0; n < 10;) {
                ssize_t k = write(ends[1], piece, 10 - (size_t)n);

                assert(k > 0 || (!wrong && errno == EAGAIN && poll(&p, 1, -1) == 1));
                n += k > 0 ? (int)k : 0;
        }
        pthread_join(t, NULL);
}

/* Waits for what never comes, at each kind of descriptor. */
static void *waits(void *arg)
{
        read(ends[0], buffer, 8);
        return arg;
}

static void stuck(const char *at)
{
        struct sockaddr_un a = {.sun_family = AF_UNIX, .sun_path = "\0stuck"};
        sigset_t none;
        pthread_t t;
        bool listens = !strcmp(at, "stuck_listener");

        sigemptyset(&none);
        ends[0] = !strcmp(at, "stuck_event")    ? eventfd(0, 0)
                  : !strcmp(at, "stuck_signal") ? signalfd(-1, &none, 0)
                  : listens                     ? socket(AF_UNIX, SOCK_STREAM, 0)
                                                : timerfd_create(CLOCK_MONOTONIC, 0);
        assert(!listens || (!bind(ends[0], (struct sockaddr *)&a, sizeof a) && !listen(ends[0], 1)));
        pthread_create(&t, NULL, waits, NULL);
        if (listens)
                accept(ends[0], NULL, NULL);
        pthread_join(t, NULL);
}

/* The other process: PROGRAM serve PATH, without heddle. */
static void serve(const char *path)
{
        struct sockaddr_un a = {.sun_family = AF_UNIX};
        int s = socket(AF_UNIX, SOCK_STREAM, 0);

        snprintf(a.sun_path, sizeof a.sun_path, "%s.new", path);
        assert(!bind(s, (struct sockaddr *)&a, sizeof a) && !listen(s, 16) && !rename(a.sun_path, path));
        pause();
}

static void connect_to(const char *path)
{
        struct sockaddr_un a = {.sun_family = AF_UNIX};
        int s = socket(AF_UNIX, SOCK_STREAM, 0);

        strncpy(a.sun_path, path, sizeof a.sun_path - 1);
        assert(!connect(s, (struct sockaddr *)&a, sizeof a) && write(s, "a", 1) == 1);
}

/* To a port of another process, or of none. */
static void send_one(bool message)
{
        struct sockaddr_in a = {
                .sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        struct iovec v = {piece, 2};
        struct msghdr m = {.msg_name = &a, .msg_namelen = sizeof a, .msg_iov = &v, .msg_iovlen = 1};
        int s = socket(AF_INET, SOCK_DGRAM, 0);

        assert((message ? sendmsg(s, &m, 0) : sendto(s, piece, 2, 0, (struct sockaddr *)&a, sizeof a)) == 2);
}

/* Nothing of this is modelled. */
static void not_covered(const char *what, const char *path)
{
        struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        struct mmsghdr none;
        pthread_t t;

        pipe(ends);
        pthread_create(&t, NULL, two_bytes, NULL);
        if (!strcmp(what, "inotify"))
                inotify_init1(IN_NONBLOCK);
        else if (!strcmp(what, "datagrams"))
                assert(!bind(socket(AF_INET, SOCK_DGRAM, 0), (struct sockaddr *)&a, sizeof a));
        else if (!strcmp(what, "unknown"))
                sendmmsg(socket(AF_INET, SOCK_DGRAM, 0), &none, 0, 0);
        else if (!strcmp(what, "connection"))
                connect_to(path);
        else
                send_one(!strcmp(what, "message"));
        pthread_join(t, NULL);
}

int main(int argc, char **argv)
{
        const char *name = argv[1];

        wrong = strstr(name, "_wrong") != NULL;
        if (!strncmp(name, "exclusive", 9))
                exclusive();
        else if (!strncmp(name, "edge", 4))
                edge();
        else if (!strncmp(name, "oneshot", 7))
                oneshot();
        else if (!strncmp(name, "half_closed", 11))
                half_closed();
        else if (!strncmp(name, "full_nonblocking", 16))
                full_nonblocking();
        else if (!strncmp(name, "full", 4))
                full();
        else if (!strncmp(name, "stuck", 5))
                stuck(name);
        else if (!strcmp(name, "serve"))
                serve(argv[2]);
        else
                not_covered(name, argc > 2 ? argv[2] : NULL);
        return 0;
}
