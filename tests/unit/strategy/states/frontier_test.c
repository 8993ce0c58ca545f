/* The frontier: orders, shared paths, and faults that frontier_check() must see. */
#include "strategy/states/frontier.h"

#include "../../events.h"

static const struct wire_decision decision = {.actor = 1, .choice = WIRE_NO_CHOICE};

/* Three entries behind a path of two transitions, and one at the root; their actors are 1 ... 4. */
static void fill(struct frontier *f, enum config_order order)
{
        uint32_t first, second;

        frontier_init(f, order, 7);
        first = frontier_link(f, FRONTIER_ROOT, &decision, false);
        second = frontier_link(f, first, &decision, true);
        for (uint16_t a = 1; a <= 4; a++) {
                struct frontier_entry e = {
                        .path = a == 4 ? FRONTIER_ROOT : second, .actor = a, .state.depth = a == 4 ? 1 : 3};
                CHECK(frontier_add(f, &e, false));
        }
        frontier_put(f, first);
        frontier_put(f, second); /* the entries hold them now */
        CHECK(frontier_check(f));
}

static void orders(void)
{
        static const struct {
                enum config_order order;
                uint16_t first, last;
        } rows[] = {{ORDER_DEPTH_FIRST, 4, 1},
                    {ORDER_BREADTH_FIRST, 4, 3},
                    {ORDER_FEWEST_PREEMPTIONS, 4, 1},
                    {ORDER_SWITCH_FIRST, 4, 1}};

        for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
                struct frontier f;
                struct frontier_entry e = {0};
                uint32_t n = 0;

                fill(&f, rows[i].order);
                for (; frontier_pick(&f, &e); n++) {
                        CHECK(n || e.actor == rows[i].first);
                        frontier_put(&f, e.path);
                        CHECK(frontier_check(&f));
                }
                CHECK(n == 4 && e.actor == rows[i].last);
                CHECK(f.unused != FRONTIER_ROOT); /* the paths are not needed any more */
                frontier_fini(&f);
        }
}

static void streams(void)
{
        struct frontier f, copy;
        struct frontier_entry a, b;
        struct stream s = STREAM_INIT;

        fill(&f, ORDER_RANDOM);
        frontier_save(&f, &s);
        frontier_init(&copy, ORDER_RANDOM, 7);
        CHECK(frontier_load(&copy, &s, FRONTIER_ROOT) && stream_done(&s) && frontier_check(&copy));
        while (frontier_pick(&f, &a))
                CHECK(frontier_pick(&copy, &b) && a.actor == b.actor && a.path == b.path);
        stream_fini(&s);
        frontier_fini(&f);
        frontier_fini(&copy);
}

#define FAULT(place, wrong)                      \
        do {                                     \
                __typeof__(place) kept_ = place; \
                place = wrong;                   \
                CHECK(!frontier_check(&f));      \
                place = kept_;                   \
                CHECK(frontier_check(&f));       \
        } while (0)

static void faults_are_seen(void)
{
        struct frontier f;
        uint32_t spare;

        fill(&f, ORDER_DEPTH_FIRST);
        spare = frontier_link(&f, FRONTIER_ROOT, &decision, false);
        frontier_put(&f, spare);
        FAULT(f.heap.at[0].rank, UINT64_MAX); /* no heap */
        FAULT(f.links.at[1].users, 2u);       /* three entries */
        FAULT(f.links.at[0].users, 0u);
        FAULT(f.links.at[1].depth, 5u);
        FAULT(f.heap.at[3].path, spare);        /* an unused link */
        FAULT(f.links.at[spare].parent, spare); /* a cycle */
        FAULT(f.unused, FRONTIER_ROOT);         /* a link without an owner */
        frontier_fini(&f);
}

int main(void)
{
        orders();
        streams();
        faults_are_seen();
        return 0;
}
