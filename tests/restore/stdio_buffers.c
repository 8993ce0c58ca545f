/* Streams with every kind of buffering, written to in threads and left unflushed. */
#include "restore.h"

static FILE *full, *line, *none;
static char own[256];

static void odd(long n)
{
        fprintf(full, "thread %ld, a piece of text that stays in the buffer\n", n);
        fprintf(line, "thread %ld, half a line", n);
        fprintf(none, "thread %ld\n", n);
        printf("to standard output %ld\n", n);
        fputs("to standard error\n", stderr);
}

int main(void)
{
        full = fopen("/dev/null", "w");
        line = fopen("/dev/null", "w");
        none = fopen("/dev/null", "w");
        assert(full && line && none);
        setvbuf(full, own, _IOFBF, sizeof own);
        setvbuf(line, NULL, _IOLBF, 512);
        setvbuf(none, NULL, _IONBF, 0);
        fprintf(full, "before");
        restore_run();
        assert(ftell(full) >= 0);
        return 0;
}
