/* Each thread announces itself and looks for the other, but in the wrong order: both may enter. */
#include "bugs.h"

static int want[2], inside;

static void *enter(void *arg)
{
        size_t me = (size_t)arg;

#ifdef FIXED
        want[me] = 1;
        if (want[!me])
                return arg;
#else
        if (want[!me])
                return arg;
        want[me] = 1;
#endif
        inside++;
        assert(inside == 1);
        inside--;
        return arg;
}

int main(void)
{
        RUN(enter, enter);
        return 0;
}
