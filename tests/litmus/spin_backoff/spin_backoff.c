/* A loop whose inner waiting loop doubles up to a limit. */
#include <assert.h>
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int flag;
static int data;

static void *spinner(void *arg)
{
        int delay = 1;

        while (!atomic_load(&flag)) {
                for (int i = 0; i < delay; i++)
                        __builtin_ia32_pause();
                if (delay < 8)
                        delay *= 2;
        }
        assert(data == 42);
        return NULL;
}

static void *setter(void *arg)
{
        data = 42;
        atomic_store(&flag, 1);
        return NULL;
}

int main(void)
{
        RUN(spinner, setter);
        return 0;
}
