/* Two takers, one giver.  The taker that came first has the first value. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#include "handoff.h"

static struct handoff h;
static int got[2];

static void *taker(void *arg)
{
        got[(intptr_t)arg] = handoff_take(&h);
        return NULL;
}

int main(void)
{
        pthread_t t[2];

        for (intptr_t i = 0; i < 2; i++)
                pthread_create(&t[i], NULL, taker, (void *)i);
        handoff_give(&h, 1);
        handoff_give(&h, 2);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        assert(got[0] + got[1] == 3);
        return 0;
}
