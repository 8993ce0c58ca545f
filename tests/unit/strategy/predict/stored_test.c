/*
 * Predictions that wait are stored and taken up again, but for those of values; one of a pair that is not there is refused.  Figures are
 * taken out once.
 */
#include <string.h>

#include "strategy/predict/forecast.h"

#include "../../events.h"

#define PAIRS 3u

static struct wire_decision path[] = {{.actor = 1, .op = OP_WRITE}, {.actor = 2, .op = OP_READ}};

static void add(struct forecasts *f, enum prediction_kind kind, uint32_t pair)
{
        struct forecast is = {.kind = kind, .pair = pair, .site = {5, 6}, .actor = {1, 2}, .node = 1};

        CHECK(forecasts_path(f, path, 2, &is));
}

static void waiting(void)
{
        struct forecasts f = {.room = 0}, copy = {.room = 0};
        struct stream s = STREAM_INIT;
        struct forecast r;

        add(&f, PREDICT_RACE, 0);
        add(&f, PREDICT_RACE, PAIRS - 1);
        add(&f, PREDICT_VALUE, MODEL_NONE);
        add(&f, PREDICT_DEADLOCK, MODEL_NONE);
        CHECK(forecasts_take(&f, QUEUE_RACE, &r)); /* it does not wait any more */
        free(r.decisions);
        forecasts_save(&f, &s);
        forecasts_load(&copy, PAIRS, &s);
        CHECK(stream_done(&s) && copy.room == 4);
        CHECK(!forecasts_take(&copy, QUEUE_VALUES, &r));
        CHECK(forecasts_take_failing(&copy, &r) && r.kind == PREDICT_DEADLOCK && r.n == 2);
        free(r.decisions);
        CHECK(forecasts_take_failing(&copy, &r) && r.kind == PREDICT_RACE && r.pair == PAIRS - 1 && r.n == 2);
        CHECK(r.site[0] == 5 && r.site[1] == 6 && r.actor[0] == 1 && r.actor[1] == 2);
        CHECK(r.decisions[1].actor == 2 && r.decisions[1].op == OP_READ);
        free(r.decisions);
        CHECK(!forecasts_take_failing(&copy, &r));
        s.pos = 0;
        forecasts_load(&copy, PAIRS - 1, &s);
        CHECK(s.failed);
        stream_fini(&s);
        forecasts_fini(&f);
        forecasts_fini(&copy);
}

static void figures(void)
{
        struct prediction_figures of = {.predicted = {3}, .confirmed = {2}, .both = 4, .counted = true};
        struct prediction_figures sum = {.predicted = {1}};

        prediction_take(&sum, &of);
        prediction_take(&sum, &of);
        CHECK(sum.predicted[0] == 4 && sum.confirmed[0] == 2 && sum.both == 4 && sum.counted);
        prediction_add(&sum, &of);
        CHECK(!sum.counted);
}

int main(void)
{
        waiting();
        figures();
        return 0;
}
