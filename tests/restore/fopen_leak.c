/* Files opened in threads: one is closed, one is not, and numbers of descriptors must not creep up. */
#include "restore.h"

#include <unistd.h>

static void odd(long n)
{
        char buffer[64];
        FILE *f = fopen("/etc/passwd", "r"), *left = fopen("/etc/passwd", "r");

        assert(f && left);
        assert(fgets(buffer, sizeof buffer, f));
        assert(fgets(buffer, sizeof buffer, left));
        assert(fileno(f) < 7 && fileno(left) < 7);
        if (n == 0)
                setvbuf(left, NULL, _IONBF, 0);
        restore_shared++;
        if (n == 1)
                fclose(f);
}

int main(void)
{
        restore_run();
        return 0;
}
