/*
 * libevent: an event loop of the main thread and a thread that talks to it.  libevent CASE.
 */
#include <assert.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <event2/thread.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct event_base *base;
static int seen, ends[2];

static void on_activate(evutil_socket_t fd, short what, void *arg)
{
        (void)fd, (void)what, (void)arg;
        seen++;
}

static void *activate(void *event)
{
        event_active(event, 0, 0);
        return NULL;
}

/* Another thread makes an event active. */
static void active(void)
{
        struct timeval second = {1, 0};
        struct event *e, *keep;
        pthread_t t;

        evthread_use_pthreads();
        base = event_base_new();
        e = event_new(base, -1, 0, on_activate, NULL);
        keep = event_new(base, -1, EV_PERSIST, on_activate, NULL);
        event_add(keep, &second);
        pthread_create(&t, NULL, activate, e);
        while (!seen)
                event_base_loop(base, EVLOOP_ONCE);
        pthread_join(t, NULL);
        event_free(e);
        event_free(keep);
        event_base_free(base);
}

static void on_read(evutil_socket_t fd, short what, void *arg)
{
        char c;

        (void)what, (void)arg;
        if (read(fd, &c, 1) == 1)
                seen++;
        else
                event_base_loopexit(base, NULL);
}

static void *write_both(void *arg)
{
        assert(write(ends[1], "ab", 2) == 2);
        close(ends[1]);
        return arg;
}

static void pipes(void)
{
        struct event *e;
        pthread_t t;

        base = event_base_new();
        assert(pipe(ends) == 0);
        e = event_new(base, ends[0], EV_READ | EV_PERSIST, on_read, NULL);
        event_add(e, NULL);
        pthread_create(&t, NULL, write_both, NULL);
        event_base_dispatch(base);
        pthread_join(t, NULL);
        assert(seen == 2);
        event_free(e);
        event_base_free(base);
}

/* A server and a client in one process. */
static int port, wrong;

static void on_data(struct bufferevent *b, void *arg)
{
        struct evbuffer *in = bufferevent_get_input(b);

        (void)arg;
        if (evbuffer_get_length(in) < 4)
                return;
        bufferevent_write_buffer(b, in);
}

static void on_end(struct bufferevent *b, short what, void *arg)
{
        (void)what, (void)arg;
        bufferevent_free(b);
        event_base_loopexit(base, NULL);
}

static void on_connection(struct evconnlistener *l, evutil_socket_t fd, struct sockaddr *a, int n, void *arg)
{
        struct bufferevent *b = bufferevent_socket_new(base, fd, BEV_OPT_CLOSE_ON_FREE);

        (void)l, (void)a, (void)n, (void)arg;
        bufferevent_setcb(b, on_data, NULL, on_end, NULL);
        bufferevent_enable(b, EV_READ | EV_WRITE);
}

static void *client(void *arg)
{
        struct sockaddr_in to = {
                .sin_family = AF_INET, .sin_port = (in_port_t)port, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        int fd = socket(AF_INET, SOCK_STREAM, 0), n = 0;
        char back[4];

        assert(connect(fd, (struct sockaddr *)&to, sizeof to) == 0);
        assert(write(fd, "pi", 2) == 2 && write(fd, wrong ? "" : "ng", wrong ? 0 : 2) == (wrong ? 0 : 2));
        while (n < 4) {
                ssize_t k = read(fd, back + n, sizeof back - (size_t)n);
                assert(k > 0);
                n += (int)k;
        }
        assert(!memcmp(back, "ping", 4));
        close(fd);
        return arg;
}

static void echo(void)
{
        struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        socklen_t n = sizeof at;
        struct evconnlistener *l;
        pthread_t t;

        base = event_base_new();
        l = evconnlistener_new_bind(base, on_connection, NULL, LEV_OPT_CLOSE_ON_FREE | LEV_OPT_REUSEABLE, 4,
                                    (struct sockaddr *)&at, sizeof at);
        assert(l && getsockname(evconnlistener_get_fd(l), (struct sockaddr *)&at, &n) == 0);
        port = at.sin_port;
        pthread_create(&t, NULL, client, NULL);
        event_base_dispatch(base);
        pthread_join(t, NULL);
        evconnlistener_free(l);
        event_base_free(base);
}

int main(int argc, char **argv)
{
        const char *name = argc > 1 ? argv[1] : "";

        wrong = !strcmp(name, "echo_short");
        if (!strcmp(name, "active"))
                active();
        else if (!strcmp(name, "pipes"))
                pipes();
        else
                echo();
        return 0;
}
