/* A call that fails writes nothing. */
#include <sys/stat.h>

#include "../litmus.h"

static struct stat st;
int seen;

static void *caller(void *arg)
{
        stat("/nowhere/at/all", &st);
        return NULL;
}

static void *reader(void *arg)
{
        seen = st.st_size != 0;
        return NULL;
}

int main(void)
{
        RUN(caller, reader);
        return 0;
}
