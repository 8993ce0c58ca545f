/* The time, broken down and written out, and the time zone. */
#include "restore.h"

#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t seen;

static void odd(long n)
{
        time_t now = time(NULL);
        struct tm *tm = localtime(&now);
        char text[64];

        assert(tm && strftime(text, sizeof text, "%Y %c", tm) > 0);
        assert(!strncmp(text, "2024 ", 5));
        if (n == 0) {
                setenv("TZ", "Asia/Tokyo", 1);
                tzset();
                assert(asctime(tm) && ctime(&now));
        } else {
                usleep(1500000);
                assert(time(NULL) - now <= 2);
                seen = now;
        }
}

int main(void)
{
        struct timeval tv;

        gettimeofday(&tv, NULL);
        restore_run();
        assert(seen == tv.tv_sec);
        return 0;
}
