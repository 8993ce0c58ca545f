/* The rows of calls.def as data, and an entry for each that is not a wrapper's. */
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <fenv.h>
#include <grp.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <termios.h>
#include <time.h>
#include <uchar.h>
#include <utime.h>
#include <wchar.h>

#include "rt/calls/listed.h"

#define NONE   LISTED_NONE
#define STDIN  LISTED_STDIN
#define STDOUT LISTED_STDOUT

#define PART(dir, i, rule, a, b, bytes)                         \
        {                                                       \
                LISTED_##dir, i, RULE_##rule, a, b, bytes, NULL \
        }
#define SPECIAL(function, i, a, b, bytes)                            \
        {                                                            \
                LISTED_SPECIAL, i, 0, a, b, bytes, listed_##function \
        }

#define IN(i, bytes)                    PART(IN, i, FIXED, NONE, NONE, bytes)
#define OUT(i, bytes)                   PART(OUT, i, FIXED, NONE, NONE, bytes)
#define INOUT(i, bytes)                 IN(i, bytes), OUT(i, bytes)
#define IN_N(i, n, unit)                PART(IN, i, COUNT, n, NONE, unit)
#define OUT_N(i, n, unit)               PART(OUT, i, COUNT, n, NONE, unit)
#define INOUT_N(i, n, unit)             IN_N(i, n, unit), OUT_N(i, n, unit)
#define IN_NM(i, n, m)                  PART(IN, i, PRODUCT, n, m, 1)
#define IN_STR(i)                       PART(IN, i, STRING, NONE, NONE, 1)
#define IN_WSTR(i)                      PART(IN, i, STRING, NONE, NONE, 4)
#define IN_WSTR_MAX(i, n)               PART(IN, i, STRING, n, NONE, 4)
#define OUT_STR(i)                      PART(OUT, i, STRING, NONE, NONE, 1)
#define OUT_STR_MAX(i, n)               PART(OUT, i, STRING, n, NONE, 1)
#define OUT_WSTR_MAX(i, n)              PART(OUT, i, STRING, n, NONE, 4)
#define OUT_RESULT(i, n, unit)          PART(OUT, i, RESULT, n, NONE, unit)
#define OUT_RESULT_ALL(i)               PART(OUT, i, RESULT, NONE, NONE, 1)
#define OUT_ITEMS(i, size, n)           PART(OUT, i, RESULT, n, size, 1)
#define OUT_PRINTED(i, n, unit)         PART(OUT, i, PRINTED, n, NONE, unit)
#define OUT_PRINTED_ALL(i, unit)        PART(OUT, i, PRINTED, NONE, NONE, unit)
#define OUT_CHANGED(i)                  PART(OUT, i, CHANGED, NONE, NONE, 1)
#define IN_UNTESTED(i, bytes)           IN(i, bytes)
#define OUT_UNTESTED(i, bytes)          OUT(i, bytes)
#define OUT_RESULT_UNTESTED(i, n, unit) OUT_RESULT(i, n, unit)

/* How the stream is used, and whether it is read. */
#define STREAM(stream, how, reads)                                     \
        {                                                              \
                LISTED_STREAM, stream, 0, LISTED_##how, reads, 0, NULL \
        }
#define LOCKS(stream)          STREAM(stream, LOCKS, 0)
#define LOCKS_READS(stream)    STREAM(stream, LOCKS, 1)
#define LOCKS_SEEKS(stream)    STREAM(stream, SEEKS, 1)
#define UNLOCKED(stream)       STREAM(stream, UNLOCKED, 0)
#define UNLOCKED_READS(stream) STREAM(stream, UNLOCKED, 1)
#define LOCKS_STDERR           LOCKS(LISTED_STDERR)
#define ALLOCATES                                     \
        {                                             \
                LISTED_ALLOCATES, 0, 0, 0, 0, 0, NULL \
        }
#define PROGRESS                                     \
        {                                            \
                LISTED_PROGRESS, 0, 0, 0, 0, 0, NULL \
        }
#define TEST_IN(i)                                  \
        {                                           \
                LISTED_NOTHING, 0, 0, 0, 0, 0, NULL \
        }
#define TEST_OUT(i)                                 \
        {                                           \
                LISTED_NOTHING, 0, 0, 0, 0, 0, NULL \
        }

#define NUMBER(text, end, width)          SPECIAL(number, text, end, NONE, width)
#define DIGITS(text)                      SPECIAL(decimal, text, NONE, NONE, 1)
#define DECIMAL(text)                     SPECIAL(decimal, text, NONE, NONE, 2)
#define PRINTF(format, list)              SPECIAL(printf, format, list, NONE, 1)
#define WPRINTF(format, list)             SPECIAL(printf, format, list, NONE, 4)
#define SCANF(format, list, text, width)  SPECIAL(scanf, format, list, text, width)
#define SCANF_FILE(format, list, width)   SPECIAL(scanf, format, list, NONE, width)
#define OUT_TEXT(i)                       SPECIAL(text, i, NONE, NONE, 1)
#define LINE(i, n)                        SPECIAL(line, i, n, NONE, 1)
#define TOKEN(width)                      SPECIAL(token, 0, 1, 2, width)
#define SEPARATE                          SPECIAL(separate, 0, 1, NONE, 1)
#define SUBOPTION                         SPECIAL(suboption, 0, 1, NONE, 1)
#define ICONV                             SPECIAL(iconv, 1, 3, NONE, 1)
#define MULTIBYTE(to, n, width)           SPECIAL(multibyte, to, n, NONE, width)
#define MULTIBYTE_MAX(to, n, most, width) SPECIAL(multibyte, to, n, most, width)
#define SCATTER(vector, n)                SPECIAL(scatter, vector, n, NONE, 1)
#define GATHER(vector, n)                 SPECIAL(gather, vector, n, NONE, 1)
#define ADDRESS(i, n)                     SPECIAL(address, i, n, NONE, 1)
#define ADDRESS_UNTESTED(i, n)            ADDRESS(i, n)
#define MESSAGE_IN(i)                     SPECIAL(message, i, NONE, NONE, 0)
#define MESSAGE_OUT(i)                    SPECIAL(message, i, NONE, NONE, 1)
#define DIFFERENCE(a, b, width)           SPECIAL(difference, a, b, NONE, width)
#define DIFFERENCE_MAX(a, b, n, width)    SPECIAL(difference, a, b, n, width)
#define FOLDED(a, b, width)               SPECIAL(folded, a, b, NONE, width)
#define FOLDED_MAX(a, b, n, width)        SPECIAL(folded, a, b, n, width)
#define OUT_RETURNED(i, n)                SPECIAL(returned, i, n, NONE, 1)
#define IN_ADDRESS(i)                     SPECIAL(ip, i, NONE, NONE, 0)
#define OUT_ADDRESS(i)                    SPECIAL(ip, i, NONE, NONE, 1)
#define KEPT(i, n)                        SPECIAL(kept, i, n, NONE, 0)
#define IOCTL                             SPECIAL(ioctl, 2, 1, NONE, 0)

#define ROW(name, real, when, list, x87, ...)                                                                \
        static const struct listed_part parts_##name[] = {__VA_ARGS__};                                      \
        extern struct listed_row row_##name;                                                                 \
        struct listed_row row_##name = {NULL,      NULL,         #name,                                      \
                                        #real,     parts_##name, sizeof parts_##name / sizeof *parts_##name, \
                                        OK_##when, list,         x87};

#define ENTRY(name)                                        \
        __asm__(".pushsection .text\n"                     \
                ".globl " #name "\n"                       \
                ".type " #name ", @function\n" #name ":\n" \
                "        lea  row_" #name "(%rip), %r11\n" \
                "        jmp  listed_enter\n"              \
                ".size " #name ", . - " #name "\n"         \
                ".popsection\n");

#define CALL(name, when, sample, setup, ...)             ROW(name, name, when, NONE, false, __VA_ARGS__) ENTRY(name)
#define CALL_LD(name, when, sample, setup, ...)          ROW(name, name, when, NONE, true, __VA_ARGS__) ENTRY(name)
#define CALL_VA(name, real, n, when, sample, setup, ...) ROW(name, real, when, n, false, __VA_ARGS__) ENTRY(name)
#define WITHIN(name, when, sample, setup, ...)           ROW(name, name, when, NONE, false, __VA_ARGS__)
#define WRAPPED(name, when, sample, setup, ...)

#pragma GCC visibility push(hidden)
#include "rt/calls/calls.def"
#pragma GCC visibility pop
