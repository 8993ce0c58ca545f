/* A thread raises and lowers a flag until it is stopped.  Another sees it raised, lowered and raised again: two rounds that are not
 * without effect, since they were seen. */
#include <stdatomic.h>

#include "../litmus.h"

atomic_int flag, done;
int seen;

static void *toggles(void *arg)
{
        do {
                atomic_store(&flag, 1);
                atomic_store(&flag, 0);
        } while (!atomic_load(&done));
        return arg;
}

static void *looks(void *arg)
{
        for (int i = 0; i < 5; i++)
                seen = 2 * seen + atomic_load(&flag);
        atomic_store(&done, 1);
        return arg;
}

int main(void)
{
        RUN(toggles, looks);
        return 0;
}
