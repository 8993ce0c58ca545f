/*
 * Programs that use the world around them: PROGRAM CASE.  Another thread runs beside each of them.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared, fd, event;

static void *add(void *arg)
{
        pthread_mutex_lock(&lock);
        shared++;
        pthread_mutex_unlock(&lock);
        return arg;
}

static void call(void)
{
        assert(system(NULL) == 1);
        assert(system("exit 3") == 3 << 8);
        assert(WTERMSIG(system("kill -9 $$")) == SIGKILL);
}

static void read_from(void)
{
        char line[20];
        FILE *f = popen("echo hello; exit 2", "r");

        assert(fgets(line, sizeof line, f) && !strcmp(line, "hello\n"));
        assert(!fgets(line, sizeof line, f));
        assert(pclose(f) == 2 << 8);
        errno = 0;
        assert(!popen("true", "x") && errno == EINVAL);
}

/* Users and groups are those of the beginning in every execution.  Only root can change them. */
static void change_users(bool change)
{
        static gid_t first = (gid_t)-1;
        gid_t list[64];
        int n = getgroups(64, list);

        assert(first == (gid_t)-1 && n >= 0);
        first = getegid();
        assert(change || (!setuid(getuid()) && !setregid(getgid(), getegid())));
        assert(change || !setgroups((size_t)n, list) || errno == EPERM);
        if (change && !geteuid())
                assert(first == 0 && !setegid(65534) && !seteuid(65534) && getegid() == 65534 && seteuid(1) == -1);
}

static void write_to(void)
{
        FILE *f = popen("read a; read b; test \"$a$b\" = onetwo && exit 4", "w");

        fputs("one\n", f);
        fputs("two\n", f);
        assert(pclose(f) == 4 << 8);
}

static void spawn(void)
{
        posix_spawn_file_actions_t actions;
        char *const argv[] = {"sh", "-c", "cat; echo $X", NULL}, *const env[] = {"X=out", NULL};
        char line[20] = "";
        int in[2], out[2], status, n = 0, k;
        pid_t pid;

        assert(!pipe(in) && !pipe(out) && write(in[1], "in", 2) == 2);
        close(in[1]);
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, in[0], 0);
        posix_spawn_file_actions_adddup2(&actions, out[1], 1);
        posix_spawn_file_actions_addclose(&actions, out[0]);
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
        assert(!posix_spawn(&pid, "/bin/sh", &actions, NULL, argv, env));
        posix_spawn_file_actions_destroy(&actions);
        close(out[1]);
        while ((k = (int)read(out[0], line + n, sizeof line - 1 - (size_t)n)) > 0)
                n += k;
        assert(!strcmp(line, "inout\n"));
        close(in[0]);
        close(out[0]);
        assert(kill(pid, 0) == 0);
        assert(waitpid(pid, &status, 0) == pid && status == 0);
        assert(wait(&status) == -1 && errno == ECHILD);
        assert(posix_spawnp(&pid, "no-such-program", NULL, NULL, argv, env) == ENOENT);
}

static volatile int ended;

static void on_end(int sig)
{
        ended += sig == SIGCHLD;
}

static void spawn_handler(void)
{
        char *const argv[] = {"true", NULL};
        siginfo_t info;
        pid_t pid;

        assert(!posix_spawnp(&pid, "true", NULL, NULL, argv, environ));
        assert(!waitid(P_PID, (id_t)pid, &info, WEXITED) && info.si_pid == pid && info.si_code == CLD_EXITED);
}

static void clock_twice(void)
{
        char a[40], b[40];

        for (int i = 0; i < 2; i++) {
                FILE *f = popen("date +%s%N; echo run >>\"$COUNT\"", "r");
                assert(fgets(i ? b : a, sizeof a, f));
                pclose(f);
        }
        assert(!strcmp(a, b));
}

static void changed_file(const char *command)
{
        FILE *f = fopen("made", "w");

        fputs("x", f);
        fclose(f);
        system(command);
}

static void limits(void)
{
        struct rlimit r = {64 << 20, 64 << 20}, now;

        assert(!setrlimit(RLIMIT_AS, &r) && !setrlimit(RLIMIT_DATA, &r));
        assert(!getrlimit(RLIMIT_AS, &now) && now.rlim_cur == r.rlim_cur);
        r.rlim_max++;
        assert(setrlimit(RLIMIT_AS, &r) == -1);
}

/* Timers and signals by descriptor. */

static void *tell(void *arg)
{
        uint64_t one = 1;

        assert(write(event, &one, sizeof one) == sizeof one);
        return arg;
}

static int ticks;

static void timer(int found)
{
        struct itimerspec in = {.it_value = {1, 0}}, now;
        bool told = false;
        uint64_t n;

        assert(read(fd, &n, sizeof n) == -1 && errno == EAGAIN);
        assert(!timerfd_settime(fd, 0, &in, &now) && now.it_value.tv_sec == 0);
        while (!told) {
                struct pollfd p[] = {{fd, POLLIN, 0}, {event, POLLIN, 0}};

                assert(poll(p, 2, -1) > 0);
                if (p[0].revents) {
                        assert(read(fd, &n, sizeof n) == sizeof n && n == 1);
                        ticks++;
                }
                told = p[1].revents != 0;
        }
        assert(ticks != found);
}

static void *set(void *arg)
{
        struct itimerspec in = {.it_value = {1, 0}};

        timerfd_settime(fd, 0, &in, NULL);
        if (arg) {
                in.it_value.tv_sec = 0;
                timerfd_settime(fd, 0, &in, NULL);
        }
        return arg;
}

static void *send(void *arg)
{
        kill(getpid(), SIGUSR1);
        tell(NULL);
        kill(getpid(), SIGUSR2);
        return arg;
}

static int reads;

static void signals(int found)
{
        struct epoll_event e = {.events = EPOLLIN, .data.fd = fd}, got;
        int epoll = epoll_create1(0), n = 0;

        epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e);
        while (n < 2) {
                struct signalfd_siginfo info[2];
                ssize_t k;

                assert(epoll_wait(epoll, &got, 1, -1) == 1 && got.data.fd == fd);
                k = read(fd, info, sizeof info);
                assert(k >= (ssize_t)sizeof *info && info[0].ssi_signo == (uint32_t)(n ? SIGUSR2 : SIGUSR1));
                n += (int)(k / (ssize_t)sizeof *info);
                reads++;
        }
        assert(reads != found);
}

int main(int argc, char **argv)
{
        const char *name = argc > 1 ? argv[1] : "";
        int found = argc > 2 ? atoi(argv[2]) : -1;
        void *(*other)(void *) = add;
        sigset_t blocked;
        pthread_t t;
        uint64_t n;

        if (!strcmp(name, "limits"))
                limits();
        if (!strcmp(name, "spawn_handler"))
                signal(SIGCHLD, on_end);
        if (!strncmp(name, "timer", 5)) {
                fd = timerfd_create(CLOCK_MONOTONIC, strcmp(name, "timer") ? 0 : TFD_NONBLOCK);
                event = eventfd(0, 0);
                other = strcmp(name, "timer") ? set : tell;
        }
        if (!strcmp(name, "signals")) {
                sigemptyset(&blocked);
                sigaddset(&blocked, SIGUSR1);
                sigaddset(&blocked, SIGUSR2);
                pthread_sigmask(SIG_BLOCK, &blocked, NULL);
                fd = signalfd(-1, &blocked, 0);
                event = eventfd(0, 0);
                other = send;
        }
        pthread_create(&t, NULL, other, strcmp(name, "timer_stopped") ? NULL : argv);
        if (other == add)
                add(NULL);
        if (!strcmp(name, "call"))
                call();
        else if (!strcmp(name, "read"))
                read_from();
        else if (!strcmp(name, "write"))
                write_to();
        else if (!strcmp(name, "spawn"))
                spawn();
        else if (!strcmp(name, "spawn_handler"))
                spawn_handler();
        else if (!strcmp(name, "clock"))
                clock_twice();
        else if (!strcmp(name, "changed"))
                changed_file("true");
        else if (!strcmp(name, "given"))
                changed_file("cat made");
        else if (!strcmp(name, "slow"))
                system("exec sleep 1$NAP");
        else if (!strcmp(name, "left"))
                system("sleep 1$NAP &");
        else if (!strcmp(name, "fork"))
                fork();
        else if (!strcmp(name, "users"))
                change_users(true);
        else if (!strcmp(name, "same_users"))
                change_users(false);
        else if (!strcmp(name, "timer"))
                timer(found);
        else if (!strncmp(name, "timer_", 6))
                assert(read(fd, &n, sizeof n) == sizeof n && n == 1);
        else if (!strcmp(name, "signals"))
                signals(found);
        pthread_join(t, NULL);
        assert(other != add || shared == 2);
        assert(strcmp(name, "spawn_handler") || ended == 1);
        return 0;
}
