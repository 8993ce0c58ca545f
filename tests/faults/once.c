/*
 * Three threads count under a lock.  When there is a byte in the named pipe FAULT_MARKER, it is read and the process is lost
 * in the way that KIND says: once, since files are put back and what is in a pipe from outside is not.  Started again the program is what it is without the fault, so the figures must be.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KILL 1
#define SCRIBBLE 2
#define REGION 3

#ifndef KIND
#define KIND 0
#endif

#define main wild_write_main
#include "wild_write.c"
#undef main

/* All of what it shares with the explorer and can write. */
static void scribble_region(void)
{
        FILE *maps = fopen("/proc/self/maps", "r");
        char line[512];
        unsigned long begin, end;

        while (maps && fgets(line, sizeof line, maps))
                if (strstr(line, "heddle-up") && sscanf(line, "%lx-%lx", &begin, &end) == 2)
                        memset((void *)begin, PATTERN, end - begin);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void fault(void)
{
        const char *marker = getenv("FAULT_MARKER");

        int fd;
        char c;

        if (KIND == 0 || !marker)
                return;
        fd = open(marker, O_RDONLY | O_NONBLOCK);
        if (read(fd, &c, 1) != 1) {
                close(fd);
                return;
        }
        if (KIND == KILL)
                kill(getpid(), SIGKILL);
        if (KIND == SCRIBBLE)
                scribbler(NULL);
        if (KIND == REGION)
                scribble_region();
}

static void *counter(void *arg)
{
        for (int i = 0; i < 2; i++) {
                pthread_mutex_lock(&lock);
                if (++count == 4 && arg)
                        fault();
                pthread_mutex_unlock(&lock);
        }
        return NULL;
}

int main(void)
{
        pthread_t threads[3];

        for (int i = 0; i < 3; i++)
                pthread_create(&threads[i], NULL, counter, i == 1 ? &count : NULL);
        for (int i = 0; i < 3; i++)
                pthread_join(threads[i], NULL);
        return count == 6 ? 0 : 1;
}
