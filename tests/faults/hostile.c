/* A target that attacks heddle: ATTACK 0 signals its parent, its group and everybody; 1 maps heddle's orders for writing, by way of
 * the descriptor that it got for reading; 2 overwrites the first page of what it shares.  Its failure must be found all the same,
 * or the attack be reported: never `safe`. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int count;

static void signals(void)
{
        pid_t victims[] = {getppid(), 0 - getpgid(getppid()), -1};

        for (int i = 0; i < 3; i++)
                if (kill(victims[i], i ? SIGKILL : SIGSTOP) == 0)
                        return;
        exit(7); /* nothing was hit */
}

static void orders(void)
{
        for (int fd = 3; fd < 1024; fd++) {
                char path[64], name[64] = "";
                snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
                if (readlink(path, name, sizeof name - 1) < 0 || !strstr(name, "heddle-down"))
                        continue;
                int again = open(path, O_RDWR);
                if (again >= 0 && mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, again, 0) != MAP_FAILED)
                        return;
        }
        exit(7); /* heddle's orders cannot be changed */
}

static void scribble(unsigned value)
{
        char line[512];
        unsigned long from = 0, to;
        FILE *maps = fopen("/proc/self/maps", "r");

        while (maps && fgets(line, sizeof line, maps))
                if (strstr(line, "heddle-up") && sscanf(line, "%lx-%lx", &from, &to) == 2)
                        break;
        for (unsigned i = 0; from && i < 1024; i++)
                ((unsigned *)from)[i] = value;
}

static void *add(void *a)
{
        int c = count;

        if (ATTACK == 2 && a)
                scribble(0);
        count = c + 1;
        return a;
}

int main(void)
{
        pthread_t t, u;

        if (ATTACK == 0)
                signals();
        if (ATTACK == 1)
                orders();
        pthread_create(&t, NULL, add, NULL);
        pthread_create(&u, NULL, add, &count);
        pthread_join(t, NULL);
        pthread_join(u, NULL);
        assert(count == 2);
        return 0;
}
