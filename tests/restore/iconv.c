/* Conversion between character sets: libc loads modules for it. */
#include "restore.h"

#include <iconv.h>

static void odd(long n)
{
        char in[] = "text", out[32], *from = in, *to = out;
        size_t left = 4, room = sizeof out;
        iconv_t cd;

        if (n)
                return;
        cd = iconv_open("UTF-16LE", "LATIN1");
        assert(cd != (iconv_t)-1 && iconv(cd, &from, &left, &to, &room) == 0 && room == sizeof out - 8);
        iconv_close(cd);
}

int main(void)
{
        restore_run();
        return 0;
}
