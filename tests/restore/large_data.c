/* Large data, little of it written: by system calls too; it keeps blocks of the heap. */
#include "restore.h"

#include <unistd.h>

#define WORDS (1 << 18)

static long zeroes[WORDS], filled[WORDS] = {1, 2, 3};
static void **early;

static void odd(long n)
{
        int ends[2];
        char byte = 7;

        zeroes[WORDS / 3 + n * 1000] = (long)malloc(8); /* not lost */
        if (n == 0) {
                assert(!zeroes[WORDS / 2] && !filled[WORDS - 3] && filled[2] == 3);
                assert(pipe(ends) == 0 && write(ends[1], &byte, 1) == 1);
                assert(read(ends[0], &zeroes[WORDS / 2], 1) == 1 && zeroes[WORDS / 2] == 7);
                close(ends[0]);
                close(ends[1]);
                filled[WORDS - 3] = 1;
                *(void **)filled[WORDS / 5] = malloc(8); /* what keeps it is where the snapshot has it, or ... */
        } else {
                assert(early[WORDS / 4]);
                if (restore_shared == 6) { /* ... elsewhere, in the first execution among others */
                        zeroes[1] = filled[WORDS / 5];
                        filled[WORDS / 5] = 0;
                }
                *(char *)early[WORDS / 4] = 1;
                free(early[WORDS / 4]);
                early[WORDS / 4] = malloc(16);
        }
}

int main(void)
{
        early = calloc(WORDS, sizeof *early);
        early[WORDS / 4] = malloc(16);
        filled[WORDS / 5] = (long)malloc(24);
        restore_run();
        filled[2] = 0;
        return 0;
}
