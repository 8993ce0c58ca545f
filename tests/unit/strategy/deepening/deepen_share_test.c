/* What a worker tells of races: each order once, and again when the exploration restarts. */
#include "strategy/deepening/deepen_share.h"

#include <assert.h>
#include <stdio.h>

/* Is there something to tell of a race that so many executions have shown? */
static bool tells(struct strategy *s, struct race *race, uint64_t count)
{
        struct stream *news = s->ops->share->news(s);
        bool any;

        race->count = count;
        assert(s->ops->points->raced(s, race, 1) == 0);
        any = news->n != 0;
        stream_reset(news);
        return any;
}

static void take_set(struct strategy *s, uint32_t id)
{
        struct stream set = STREAM_INIT;

        stream_put_u32(&set, id);
        stream_put_u32(&set, 0);
        stream_put_u32(&set, 0);
        stream_put_array(&set, NULL, 0, sizeof(uint64_t));
        s->ops->share->begin(s);
        assert(s->ops->share->take_set(s, &set) == 0);
        stream_fini(&set);
}

int main(void)
{
        struct strategy *s = deepen_plan.explorer();
        struct race race = {.first = RACE_FORWARD};

        assert(s);
        take_set(s, 1);
        assert(tells(s, &race, 1));
        assert(!tells(s, &race, 1)); /* the execution does not show it */
        assert(!tells(s, &race, 2)); /* nothing new */
        take_set(s, 2);
        assert(!tells(s, &race, 2)); /* the executions of another set showed it */
        assert(tells(s, &race, 3));
        s->ops->reset(s);
        take_set(s, 2);
        assert(tells(s, &race, 3));
        s->ops->destroy(s);
        printf("PASS deepen_share\n");
        return 0;
}
