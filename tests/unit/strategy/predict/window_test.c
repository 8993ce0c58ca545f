/*
 * Windows: an execution that is too long is not learnt, and those after it are.
 */
#include "strategy/predict/window.h"

#include "../../events.h"

static struct config config;
static struct forecasts forecasts;
static struct pairs pairs;
static struct window window = {.forecasts = &forecasts, .pairs = &pairs};
static struct wire_event events[65537];
static uint64_t before[65537];

static void learn(uint32_t n)
{
        struct trace t = trace_of(events, n, 1);

        t.before = before;
        window_learn(&window, &t);
        window_read(&window, &t);
}

int main(void)
{
        uint32_t nodes;

        for (uint32_t i = 0; i < sizeof events / sizeof *events; i++)
                events[i] = event(0, OP_WRITE, X);
        window_init(&window, &config);
        CHECK(!window.off);
        nodes = window.machine.tries.nodes.n;
        learn(65537);
        CHECK(!window.off && window.round == 0 && window.machine.tries.nodes.n == nodes);
        learn(3);
        CHECK(!window.off && window.round == 1 && window.machine.tries.nodes.n > nodes);
        learn(65537);
        CHECK(!window.off && window.round == 1);
        window_fini(&window);
        forecasts_fini(&forecasts);
        pairs_fini(&pairs);
        return 0;
}
