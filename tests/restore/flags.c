/* Flags of descriptors: O_NONBLOCK by fcntl and by ioctl, close-on-exec. */
#include "restore.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int ends[2];

static void odd(long n)
{
        int on = 1;

        if (n == 0) {
                assert(!(fcntl(ends[0], F_GETFL) & O_NONBLOCK));
                assert(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
                assert(fcntl(0, F_DUPFD, 20) == 20);
        } else {
                assert(!(fcntl(ends[1], F_GETFL) & O_NONBLOCK));
                assert(ioctl(ends[1], FIONBIO, &on) == 0);
                assert(fcntl(2, F_GETFD) == 0 && fcntl(2, F_SETFD, FD_CLOEXEC) == 0);
        }
}

int main(void)
{
        assert(pipe(ends) == 0);
        restore_run();
        return 0;
}
