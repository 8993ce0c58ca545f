/* Standard input is read in threads: every execution reads it from where main had left it. */
#include "restore.h"

static char *lines[THREADS];
static int next;

static void odd(long n)
{
        size_t size = 0;

        assert(getline(&lines[next], &size, stdin) > 0);
        next++;
        (void)n;
}

int main(void)
{
        char first[64];

        setvbuf(stdin, NULL, _IONBF, 0);
        assert(fgets(first, sizeof first, stdin) && !strcmp(first, "one\n"));
        restore_run();
        assert(next == 1 || (!strcmp(lines[0], "two\n") && !strcmp(lines[1], "three\n")));
        return 0;
}
