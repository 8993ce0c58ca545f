/* An open that may create a file comes before or after a look at names; one that may not has no order. */
#include <fcntl.h>
#include <unistd.h>

#include "../litmus.h"

static void *opens(void *arg)
{
        (void)open("/dev/null", FLAGS, 0600);
        return NULL;
}

static void *looks(void *arg)
{
        (void)access("/dev/null", F_OK);
        return NULL;
}

int main(void)
{
        RUN(opens, looks);
        return 0;
}
