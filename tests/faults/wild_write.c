/*
 * A thread overwrites every writable page that the process has mapped and is not its own stack: the program's data,
 * libc's, the runtime's, and what the runtime shares with the explorer.  Of each mapping only the beginning, since some
 * may be larger than the machine's memory.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

#ifndef PATTERN
#define PATTERN 0xff
#endif

enum { AT_MOST = 1 << 18 };

struct range {
        uintptr_t begin, end;
};

static uintptr_t parse_hex(const char **p)
{
        uintptr_t value = 0;

        for (;; (*p)++) {
                char c = **p;

                if (c >= '0' && c <= '9')
                        value = value * 16 + (uintptr_t)(c - '0');
                else if (c >= 'a' && c <= 'f')
                        value = value * 16 + (uintptr_t)(c - 'a' + 10);
                else
                        return value;
        }
}

/* Everything it needs is on its stack, and it calls nothing once it has begun to write. */
static void *scribbler(void *arg)
{
        static char text[1 << 20];
        struct range ranges[512];
        int n_ranges = 0, fd = open("/proc/self/maps", O_RDONLY);
        ssize_t length = 0, n;
        const char *p = text;

        while ((n = read(fd, text + length, sizeof text - 1 - (size_t)length)) > 0)
                length += n;
        while (*p != '\0' && n_ranges < 512) {
                uintptr_t begin = parse_hex(&p), end;

                p++;
                end = parse_hex(&p);
                if (end - begin > AT_MOST)
                        end = begin + AT_MOST;
                if (p[2] == 'w' && !((uintptr_t)&fd >= begin && (uintptr_t)&fd < end))
                        ranges[n_ranges++] = (struct range){begin, end};
                while (*p != '\0' && *p++ != '\n')
                        ;
        }
        for (int i = 0; i < n_ranges; i++)
                for (volatile char *at = (volatile char *)ranges[i].begin; (uintptr_t)at < ranges[i].end; at += 61)
                        *at = (char)PATTERN;
        return NULL;
}

int main(void)
{
        pthread_t thread;

        pthread_create(&thread, NULL, scribbler, NULL);
        pthread_join(thread, NULL);
        return 0;
}
