/*
 * One test for each row of calls.def: a thread makes the call of the row's sample, another touches the memory of its
 * arguments.  What a call reads the other writes, without changing it; what a call writes the other reads.
 *
 *   rows            all rows in one execution: each pair is a data race
 *   rows NAME DIR ARG   one row and one part: DIR is in or out
 *   rows list       the parts: NAME DIR ARG
 *
 * The race reports name the functions call_NAME and touch_DIRARG.
 */
#include <sys/cdefs.h>
#undef __attribute_pure__ /* a call whose result is not used is made all the same */
#define __attribute_pure__
#include <arpa/inet.h>
#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <fenv.h>
#include <fnmatch.h>
#include <grp.h>
#include <iconv.h>
#include <inttypes.h>
#include <libgen.h>
#include <locale.h>
#include <math.h>
#include <net/if.h>
#include <netinet/ether.h>
#include <printf.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/xattr.h>
#include <termios.h>
#include <threads.h>
#include <time.h>
#include <uchar.h>
#include <unistd.h>
#include <utime.h>
#include <wchar.h>
#include <wctype.h>
#undef basename

#define ARGS 7
#define SIZE 512
#define AREAS 8192

/* Functions without a declaration. */
int __snprintf_chk(char *, size_t, int, size_t, const char *, ...);
int __sprintf_chk(char *, int, size_t, const char *, ...);
int __asprintf_chk(char **, int, const char *, ...);
int __printf_chk(int, const char *, ...);
int __fprintf_chk(FILE *, int, const char *, ...);
int __isoc99_swscanf(const wchar_t *, const wchar_t *, ...);
int __isoc99_fscanf(FILE *, const char *, ...);
int fscanf_old(FILE *, const char *, ...) __asm__("fscanf");
size_t __fread_chk(void *, size_t, size_t, size_t, FILE *);
char *__fgets_chk(char *, size_t, int, FILE *);
int __open_2(const char *, int);
int __open64_2(const char *, int);
int __openat_2(int, const char *, int);
int __openat64_2(int, const char *, int);
int __xstat(int, const char *, struct stat *);
int __xstat64(int, const char *, struct stat *);
int __lxstat(int, const char *, struct stat *);
int __lxstat64(int, const char *, struct stat *);
int __fxstat(int, int, struct stat *);
int __fxstat64(int, int, struct stat *);
int __fxstatat(int, int, const char *, struct stat *, int);
int __fxstatat64(int, int, const char *, struct stat *, int);
ssize_t __readlink_chk(const char *, char *, size_t, size_t);
char *__realpath_chk(const char *, char *, size_t);
char *__getcwd_chk(char *, size_t, size_t);
ssize_t __pread_chk(int, void *, size_t, off_t, size_t);
ssize_t __pread64_chk(int, void *, size_t, off_t, size_t);
wchar_t *__wcscpy_chk(wchar_t *, const wchar_t *, size_t);
wchar_t *__wcpcpy_chk(wchar_t *, const wchar_t *, size_t);
wchar_t *__wcsncpy_chk(wchar_t *, const wchar_t *, size_t, size_t);
wchar_t *__wcpncpy_chk(wchar_t *, const wchar_t *, size_t, size_t);
wchar_t *__wcscat_chk(wchar_t *, const wchar_t *, size_t);
wchar_t *__wcsncat_chk(wchar_t *, const wchar_t *, size_t, size_t);
wchar_t *__wmemcpy_chk(wchar_t *, const wchar_t *, size_t, size_t);
wchar_t *__wmemmove_chk(wchar_t *, const wchar_t *, size_t, size_t);
wchar_t *__wmempcpy_chk(wchar_t *, const wchar_t *, size_t, size_t);
wchar_t *__wmemset_chk(wchar_t *, wchar_t, size_t, size_t);
size_t __mbrtowc(wchar_t *, const char *, size_t, mbstate_t *);
int __wctomb_chk(char *, wchar_t, size_t);
size_t __wcrtomb_chk(char *, wchar_t, mbstate_t *, size_t);
size_t __mbstowcs_chk(wchar_t *, const char *, size_t, size_t);
size_t __wcstombs_chk(char *, const wchar_t *, size_t, size_t);
size_t __mbsrtowcs_chk(wchar_t *, const char **, size_t, mbstate_t *, size_t);
size_t __wcsrtombs_chk(char *, const wchar_t **, size_t, mbstate_t *, size_t);
struct tm *__gmtime_r(const time_t *, struct tm *);
int __gethostname_chk(char *, size_t, size_t);
char *getwd(char *);
char *basename_gnu(const char *) __asm__("basename");
#define basename basename_gnu

struct part {
        char dir; /* r: the call reads, w: it writes, 0: not tested */
        unsigned char arg;
};

struct row {
        const char *name;
        void (*setup)(void);
        void (*call)(void);
        const struct part *part;
        unsigned n;
};

static char area[AREAS][SIZE] __attribute__((aligned(16)));
static char was[AREAS][1]; /* the first byte of each, after the setup */
static __thread unsigned mine; /* the row whose setup or call is under way */

static FILE *input, *output, *wide_output;
static int input_fd, null_fd, sockets[2];
static locale_t c_locale;
static sem_t semaphore;

#define P(i)             ((void *)area[mine * ARGS + (i)])
#define TEXT(i, text)    strcpy(P(i), text);
#define WIDE(i, text)    wcscpy(P(i), text);
#define INT(i, value)    (*(int *)P(i) = (value));
#define LONG(i, value)   (*(long *)P(i) = (value));
#define POINTER(i, p)    (*(void **)P(i) = (p));
#define VECTOR(i, j)     (*(struct iovec *)P(i) = (struct iovec){P(j), 8});
#define TEXT_OF(text)    strdup(text)
#define WIDE_OF(text)    wcsdup(text)
#define INPUT            input
#define OUTPUT           output
#define WOUTPUT          wide_output
#define INPUT_FD         input_fd
#define NULL_FD          null_fd
#define SOCKET           sockets[0]
#define C_LOCALE         c_locale

static void *one(void *a)
{
        (void)a;
        return (void *)1;
}

static int one_c11(void *a)
{
        (void)a;
        return 1;
}

static pthread_t make_thread(void)
{
        pthread_t t;

        pthread_create(&t, NULL, one, NULL);
        return t;
}

static int compare(const void *a, const void *b)
{
        (void)a;
        (void)b;
        return 1;
}

static int compare_with(const void *a, const void *b, void *c)
{
        (void)c;
        return compare(a, b);
}

/* vsnprintf and its relatives, with a list of one argument. */
static int list_3(int (*f)(char *, size_t, const char *, va_list), char *to, size_t n, const char *format, ...)
{
        va_list ap;
        int r;

        va_start(ap, format);
        r = f(to, n, format, ap);
        va_end(ap);
        return r;
}

static int list_file(int (*f)(FILE *, const char *, va_list), FILE *to, const char *format, ...)
{
        va_list ap;
        int r;

        va_start(ap, format);
        r = f(to, format, ap);
        va_end(ap);
        return r;
}

static int list_fd(int (*f)(int, const char *, va_list), int to, const char *format, ...)
{
        va_list ap;
        int r;

        va_start(ap, format);
        r = f(to, format, ap);
        va_end(ap);
        return r;
}
#define vprint(f, ...) _Generic(&f, int (*)(char *, size_t, const char *, va_list): list_3, \
                                    int (*)(FILE *, const char *, va_list): list_file,      \
                                    int (*)(int, const char *, va_list): list_fd)(f, __VA_ARGS__)

/* Parts. */
#define NONE                     255
#define R(i)                     {'r', i}
#define W(i)                     {'w', i}
#define NOTHING                  {0, 0}
#define IN(i, bytes)             R(i)
#define OUT(i, bytes)            W(i)
#define INOUT(i, bytes)          R(i), W(i)
#define IN_N(i, n, unit)         R(i)
#define OUT_N(i, n, unit)        W(i)
#define INOUT_N(i, n, unit)      R(i), W(i)
#define IN_NM(i, n, m)           R(i)
#define INOUT_NM(i, n, m)        R(i), W(i)
#define IN_STR(i)                R(i)
#define IN_WSTR(i)               R(i)
#define IN_WSTR_MAX(i, n)        R(i)
#define OUT_STR(i)               W(i)
#define OUT_STR_MAX(i, n)        W(i)
#define OUT_WSTR_MAX(i, n)       W(i)
#define OUT_RESULT(i, n, unit)   W(i)
#define OUT_RESULT_ALL(i)        W(i)
#define OUT_ITEMS(i, size, n)    W(i)
#define OUT_PRINTED(i, n, unit)  W(i)
#define OUT_PRINTED_ALL(i, unit) W(i)
#define OUT_CHANGED(i)           NOTHING
#define IN_UNTESTED(i, bytes)    NOTHING
#define OUT_UNTESTED(i, bytes)   NOTHING
#define OUT_RESULT_UNTESTED(i, n, unit) NOTHING
#define LOCKS(stream)            NOTHING
#define LOCKS_READS(stream)      NOTHING
#define LOCKS_SEEKS(stream)      NOTHING
#define UNLOCKED(stream)         NOTHING
#define UNLOCKED_READS(stream)   NOTHING
#define LOCKS_STDERR             NOTHING
#define ALLOCATES                NOTHING
#define PROGRESS                 NOTHING
#define TEST_IN(i)               R(i)
#define TEST_OUT(i)              W(i)
#define NUMBER(text, end, width) R(text), W(end)
#define DIGITS(text)             R(text)
#define DECIMAL(text)            R(text)
#define PRINTF(format, list)     R(format)
#define WPRINTF(format, list)    R(format)
#define SCANF(format, list, text, width) R(format), R(text)
#define SCANF_FILE(format, list, width)  R(format)
#define OUT_TEXT(i)              W(i)
#define LINE(i, n)               R(i), W(i), R(n), W(n)
#define TOKEN(width)             R(0), R(1), W(2)
#define SEPARATE                 R(0), W(0), R(1)
#define SUBOPTION                R(0), W(0), R(1), W(2)
#define ICONV                    NOTHING
#define MULTIBYTE(to, n, width)  W(to), R(1), W(1)
#define MULTIBYTE_MAX(to, n, most, width) W(to), R(1), W(1)
#define SCATTER(vector, n)       NOTHING
#define GATHER(vector, n)        NOTHING
#define ADDRESS(i, n)            W(i), R(n), W(n)
#define ADDRESS_UNTESTED(i, n)   NOTHING
#define MESSAGE_IN(i)            NOTHING
#define MESSAGE_OUT(i)           NOTHING
#define WIDE_COPY(to, from)      W(to), R(from)
#define WIDE_APPEND(to, from)    R(to), W(to), R(from)
#define WIDE_APPEND_MAX(to, from, n) R(to), W(to), R(from)
#define COPY_TO                  W(0), R(1)
#define DIFFERENCE(a, b, width)  R(a), R(b)
#define DIFFERENCE_MAX(a, b, n, width) R(a), R(b)
#define FOLDED(a, b, width)      R(a), R(b)
#define FOLDED_MAX(a, b, n, width) R(a), R(b)
#define OUT_RETURNED(i, n)       W(i)
#define IN_ADDRESS(i)            R(i)
#define OUT_ADDRESS(i)           W(i)
#define KEPT(i, n)               NOTHING
#define IOCTL                    W(2)

#define DO(...) __VA_ARGS__
#define ROW(name, sample, init, ...)                                          \
        static void setup_##name(void)                                        \
        {                                                                     \
                DO init;                                                      \
        }                                                                     \
        static void call_##name(void)                                         \
        {                                                                     \
                (void)(sample);                                               \
        }                                                                     \
        static const struct part parts_##name[] = {__VA_ARGS__};
#define CALL(name, when, sample, init, ...)           ROW(name, sample, init, __VA_ARGS__)
#define CALL_LD(name, when, sample, init, ...)        ROW(name, sample, init, __VA_ARGS__)
#define CALL_VA(name, real, n, when, sample, init, ...) ROW(name, sample, init, __VA_ARGS__)
#define WITHIN(name, when, sample, init, ...)         ROW(name, sample, init, __VA_ARGS__)
#define WRAPPED(name, when, sample, init, ...)        ROW(name, sample, init, __VA_ARGS__)
#include "rt/calls/calls.def"

#undef ROW
#define ROW(name, sample, init, ...) \
        {#sample[1] == '0' ? NULL : #name, setup_##name, call_##name, parts_##name, sizeof parts_##name / sizeof *parts_##name},
static const struct row rows[] = {
#include "rt/calls/calls.def"
};
#define ROWS (sizeof rows / sizeof *rows)

/* The other thread: an access of its own for each direction and argument. */
static int seen;
#define TOUCH(i)                                                          \
        static void __attribute__((noinline)) touch_in##i(unsigned row)   \
        {                                                                 \
                area[row * ARGS + i][0] = was[row * ARGS + i][0];         \
        }                                                                 \
        static void __attribute__((noinline)) touch_out##i(unsigned row)  \
        {                                                                 \
                seen = area[row * ARGS + i][0];                           \
        }
TOUCH(0)
TOUCH(1)
TOUCH(2)
TOUCH(3)
TOUCH(4)
TOUCH(5)
TOUCH(6)

static void touch(unsigned row, const struct part *p)
{
        static void (*const in[])(unsigned) = {touch_in0, touch_in1, touch_in2, touch_in3, touch_in4, touch_in5, touch_in6};
        static void (*const out[])(unsigned) = {touch_out0, touch_out1, touch_out2, touch_out3, touch_out4, touch_out5, touch_out6};

        if (p->dir)
                (p->dir == 'r' ? in : out)[p->arg](row);
}

static unsigned first, last; /* rows to be run */
static const struct part *only;

static void *caller(void *a)
{
        for (mine = first; mine < last; mine++)
                if (rows[mine].name)
                        rows[mine].call();
        return a;
}

static void *toucher(void *a)
{
        for (unsigned r = first; r < last; r++)
                for (unsigned i = 0; rows[r].name && i < rows[r].n; i++)
                        if (!only || only == &rows[r].part[i])
                                touch(r, &rows[r].part[i]);
        return a;
}

static void prepare(const char *self)
{
        assert(ROWS * ARGS <= AREAS);
        input = fopen(self, "r");
        output = fopen("/dev/null", "w");
        wide_output = fopen("/dev/null", "w");
        fwide(wide_output, 1);
        input_fd = open(self, O_RDONLY);
        null_fd = open("/dev/null", O_WRONLY);
        socketpair(AF_UNIX, SOCK_STREAM, 0, sockets);
        c_locale = newlocale(LC_ALL_MASK, "C", NULL);
        sem_init(&semaphore, 0, 1);
        localtime(&(time_t){0}); /* the time zone is read once */
        for (mine = first; mine < last; mine++) {
                rows[mine].setup();
                for (unsigned i = 0; i < ARGS; i++)
                        was[mine * ARGS + i][0] = area[mine * ARGS + i][0];
        }
}

static int find(const char *name, const char *dir, const char *arg)
{
        for (first = 0; first < ROWS; first++) {
                const struct row *r = &rows[first];

                last = first + 1;
                for (unsigned i = 0; r->name && !strcmp(r->name, name) && i < r->n; i++)
                        if (r->part[i].dir == (*dir == 'i' ? 'r' : 'w') && r->part[i].arg == atoi(arg)) {
                                only = &r->part[i];
                                return 1;
                        }
        }
        return 0;
}

static void list(void)
{
        for (unsigned r = 0; r < ROWS; r++)
                for (unsigned i = 0; rows[r].name && i < rows[r].n; i++)
                        if (rows[r].part[i].dir)
                                printf("%s %s %d\n", rows[r].name, rows[r].part[i].dir == 'r' ? "in" : "out", rows[r].part[i].arg);
}

int main(int argc, char **argv)
{
        pthread_t a, b;

        last = ROWS;
        if (argc == 2) {
                list();
                return 0;
        }
        if (argc == 4 && !find(argv[1], argv[2], argv[3]))
                return 2;
        prepare(argv[0]);
        pthread_create(&a, NULL, caller, NULL);
        pthread_create(&b, NULL, toucher, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
