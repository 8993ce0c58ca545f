/*
 * The connection to a Redis server: signs in, and repeats a command until the server is there again.
 *
 * Invariant: a command ends.  PATIENCE counts from its first failure, whether the server cannot be reached, does not answer, or answers
 * that it is busy.
 */
#include "parallel/store/redis_link.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/deadline.h"
#include "parallel/store/redis_tls.h"

#define PATIENCE  120.0 /* seconds without a server */
#define TIMEOUT   5     /* seconds for a command */
#define SAY_EVERY 60.0

static int failed(struct redis_link *l, const char *why)
{
        error_set(&l->store->why, ERROR_USAGE, "--cluster %.200s:%d/%.100s: %.200s", l->url.host, l->url.port,
                  l->url.name, why);
        return -1;
}

/* What went wrong with the connection itself. */
static int lost(struct redis_link *l)
{
        bool late = l->c && !strcmp(l->c->errstr, strerror(EAGAIN));

        failed(l, !l->c ? "out of memory" : late ? "the server does not answer" : l->c->errstr);
        redis_link_close(l);
        return -1;
}

void redis_link_close(struct redis_link *l)
{
        if (l->c)
                redisFree(l->c);
        l->c = NULL;
}

static bool begins(const redisReply *reply, const char *with)
{
        return reply->type == REDIS_REPLY_ERROR && !strncmp(reply->str, with, strlen(with));
}

/* Another time it may be possible. */
static bool is_passing(const redisReply *reply)
{
        return begins(reply, "LOADING") || begins(reply, "TRYAGAIN") || begins(reply, "BUSY ");
}

/* Errors that say what we want to know: a group of workers that is there, is not, or was removed while we waited. */
static bool is_news(const redisReply *reply)
{
        return begins(reply, "BUSYGROUP") || begins(reply, "NOGROUP") || begins(reply, "UNBLOCKED");
}

/* 0, or -1 with a reason; *again: another time it may be possible. */
static int sign_in(struct redis_link *l, bool *again)
{
        const struct redis_url *u = &l->url;
        redisReply *reply = !u->password[0] ? redisCommand(l->c, "PING")
                            : u->user[0]    ? redisCommand(l->c, "AUTH %s %s", u->user, u->password)
                                            : redisCommand(l->c, "AUTH %s", u->password);
        int e = 0;

        *again = !reply || is_passing(reply);
        if (!reply)
                return lost(l);
        if (begins(reply, "NOAUTH") || begins(reply, "WRONGPASS"))
                e = failed(l, "the server refuses the user or the password");
        else if (reply->type == REDIS_REPLY_ERROR)
                e = failed(l, reply->str);
        freeReplyObject(reply);
        if (e)
                redis_link_close(l);
        return e;
}

static int try_to_open(struct redis_link *l, bool *again)
{
        struct timeval t = {TIMEOUT, 0};

        *again = true;
        l->c = redisConnectWithTimeout(l->url.host, l->url.port, t);
        if (!l->c || l->c->err)
                return lost(l);
        redisSetTimeout(l->c, t);
        if (l->url.tls && redis_tls_begin(l->c, l->url.host)) {
                redis_link_close(l);
                *again = false;
                return failed(l, "no TLS connection; a tunnel (stunnel) and redis:// work, too");
        }
        return sign_in(l, again);
}

int redis_link_open(struct redis_link *l)
{
        bool again;

        return try_to_open(l, &again);
}

static void say(struct redis_link *l)
{
        double now = clock_now();

        if (l->said > 0 && now - l->said < SAY_EVERY)
                return;
        l->said = now;
        fprintf(stderr, "heddle: %s; trying again\n", l->store->why.text);
}

/* The last attempt failed.  Another one may be made: true; false: the reason is there. */
static bool wait_for_server(struct redis_link *l, double until)
{
        bool again = true;

        while (again && clock_now() < until && !loop_interrupted) {
                say(l);
                nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
                if (l->c)
                        return true;
                l->store->renewed = true;
                if (!try_to_open(l, &again))
                        return true;
        }
        return false;
}

redisReply *redis_link_ask(struct redis_link *l, int n, const char **words, const size_t *sizes)
{
        double until = 0;

        for (;;) {
                redisReply *reply = l->c ? redisCommandArgv(l->c, n, words, sizes) : NULL;

                if (reply && (reply->type != REDIS_REPLY_ERROR || is_news(reply)))
                        return reply;
                if (reply) {
                        bool passing = is_passing(reply);

                        failed(l, reply->str);
                        freeReplyObject(reply);
                        if (!passing)
                                return NULL;
                } else if (l->c) {
                        lost(l);
                }
                until = until > 0 ? until : clock_now() + PATIENCE;
                if (!wait_for_server(l, until))
                        return NULL;
        }
}
