/* cost F COMMAND...: runs a command and writes its processor time to F, that of its children included, in microseconds.  On
 * an idle machine explorer and target, which never run at once, take as long by the clock.  -DMEMORY: seconds and the MB that it
 * needed at most instead. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static long long microseconds(struct timeval t)
{
        return t.tv_sec * 1000000ll + t.tv_usec;
}

int main(int argc, char **argv)
{
        struct rusage usage;
        int status;
        pid_t pid;
        FILE *f;

        if (argc < 3 || (pid = fork()) < 0)
                return 125;
        if (pid == 0) {
                execvp(argv[2], &argv[2]);
                _exit(127);
        }
        if (wait4(pid, &status, 0, &usage) != pid || !(f = fopen(argv[1], "w")))
                return 125;
        long long us = microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
#ifdef MEMORY
        fprintf(f, "%.3f %ld\n", (double)us / 1e6, usage.ru_maxrss / 1024);
#else
        fprintf(f, "%lld\n", us);
#endif
        fclose(f);
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
