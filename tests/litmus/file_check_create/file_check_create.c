/* Looks whether a file is there, and makes it if it is not: both threads may find nothing. */
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

#include "../litmus.h"

static void *make(void *arg)
{
        if (access("lock", F_OK) != 0)
                assert(open("lock", O_CREAT | O_EXCL | O_WRONLY, 0600) >= 0);
        return NULL;
}

int main(void)
{
        RUN(make, make);
        return 0;
}
