/*
 * The pairs of pairs.def: pairs NUMBER [MIX] runs the changer and the user of one side by side; with a MIX there is a third
 * thread, another user (1) or another changer (2).  What the users found is in r0 and r1.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

int r0 = -1, r1 = -1;

static char scratch[64] = "/tmp/heddle-effects-XXXXXX", other[64];
static int f, g, q[2];
static _Thread_local int handled;
static const int one = 1, none;
static char *m;
static FILE *file;
static DIR *directory;
static pthread_key_t key;
static const time_t when = 3600, later = 1000000000;
static ENTRY entry = {(char *)"key", (char *)"data"};
static char *const options[] = {(char *)"pairs", (char *)"-a", (char *)"-b", NULL};
static struct rlimit lim, new_lim = {7, 7};
static const struct tm first = {.tm_mday = 1, .tm_year = 11}, second = {.tm_mday = 1, .tm_year = 22};
static unsigned short seed[3] = {1, 2, 3};

static void handler(int sig)
{
        (void)sig;
        handled = 1;
}

static void handler2(int sig)
{
        (void)sig;
        handled = 2;
}

static const struct sigaction handles = {.sa_handler = handler};

/* A folder of our own, and names in it that nothing has. */
static int start(void)
{
        strcpy(other, mkdtemp(scratch));
        if (chdir(scratch))
                return 1;
        unlink(strcpy(scratch, "one"));
        strcpy(other, "two");
        return 0;
}

static int zeros(void)
{
        return open("/dev/zero", O_RDWR);
}

static int passwd(void)
{
        return open("/etc/passwd", O_RDONLY);
}

/* The number that the next call to open() will return. */
static int next(void)
{
        int fd = open("/dev/null", O_RDONLY);

        close(fd);
        return fd;
}

/* A file of two bytes, at f and g; two open files. */
static int two(void)
{
        f = open(scratch, O_RDWR | O_CREAT, 0600);
        g = open(scratch, O_RDONLY);
        return (int)pwrite(f, "aa", 2, 0);
}

/* The first character of the only name in the folder. */
static int opened_name(void)
{
        DIR *d = opendir(".");
        const struct dirent *e;

        while ((e = readdir(d)) && e->d_name[0] == '.')
                ;
        return e ? e->d_name[0] : 0;
}

static char *page(void)
{
        char *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        *p = 1;
        return p;
}

#define LOCALS                                                                                      \
        char b[256] = "x", *text;                                                                   \
        struct iovec vec = {b, 1};                                                                  \
        struct stat st;                                                                             \
        struct pollfd p = {0};                                                                      \
        struct sigaction sa;                                                                        \
        struct rlimit now_lim;                                                                      \
        struct tm *tm;                                                                              \
        socklen_t length;                                                                           \
        int now, n[2];                                                                           \
        pthread_key_t key2;                                                                         \
        (void)text, (void)vec, (void)st, (void)p, (void)sa, (void)now_lim, (void)tm, (void)length, (void)key2, (void)b, (void)now, (void)n;

#define PAIR(name, setup, changer, user) \
        static void setup_##name(void)   \
        {                                \
                static char b[256];      \
                (void)b;                 \
                setup;                   \
        }                                \
        static void *change_##name(void *r) \
        {                                \
                LOCALS                   \
                changer;                 \
                return r;                \
        }                                \
        static void *use_##name(void *arg) \
        {                                \
                int *r = arg;            \
                LOCALS                   \
                user;                    \
                return arg;              \
        }
#define RACY   PAIR
#define UNIQUE PAIR
#include "pairs.def"
#undef PAIR

static const struct pair {
        void (*setup)(void);
        void *(*change)(void *), *(*use)(void *);
} pairs[] = {
#define PAIR(name, setup, changer, user) {setup_##name, change_##name, use_##name},
#include "pairs.def"
};

int main(int argc, char **argv)
{
        const struct pair *it = &pairs[atoi(argv[1])];
        int mix = argc > 2 ? atoi(argv[2]) : 0;
        pthread_t t[3];

        it->setup();
        pthread_create(&t[0], NULL, it->change, NULL);
        pthread_create(&t[1], NULL, it->use, &r0);
        if (mix)
                pthread_create(&t[2], NULL, mix == 1 ? it->use : it->change, &r1);
        for (int i = 0; i < (mix ? 3 : 2); i++)
                pthread_join(t[i], NULL);
        return 0;
}
