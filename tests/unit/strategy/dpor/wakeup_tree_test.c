/* Wakeup trees: steps, lists, streams, and faults that wakeup_tree_check() must see. */
#include "strategy/dpor/wakeup_tree.h"

#include <string.h>

#include "../../events.h"

static const struct wire_access two[] = {{.obj = X, .size = 8, .mode = WIRE_MODE_WRITE, .op = OP_WRITE},
                                         {.obj = Y, .size = 8, .mode = WIRE_MODE_READ, .op = OP_READ}};

/* The sequences  0 1 2,  0 3,  4. */
static uint32_t example(struct wakeup_tree *w)
{
        uint32_t s[5];

        for (uint16_t a = 0; a < 5; a++)
                s[a] = wakeup_tree_add(w, a, OP_WRITE, two, a == 2 ? 2 : 1, WAKEUP_SURE);
        wakeup_tree_at(w, s[0])->next = s[4];
        wakeup_tree_at(w, s[0])->child = s[1];
        wakeup_tree_at(w, s[1])->next = s[3];
        wakeup_tree_at(w, s[1])->child = s[2];
        CHECK(wakeup_tree_check(w));
        return s[0];
}

static void same(const struct wakeup_tree *w, uint32_t a, uint32_t b)
{
        CHECK(!a == !b);
        if (!a)
                return;
        CHECK(wakeup_tree_at(w, a)->actor == wakeup_tree_at(w, b)->actor &&
              wakeup_tree_at(w, a)->n_acc == wakeup_tree_at(w, b)->n_acc);
        CHECK(!memcmp(wakeup_tree_footprint(wakeup_tree_at(w, a)), wakeup_tree_footprint(wakeup_tree_at(w, b)),
                      wakeup_tree_at(w, a)->n_acc * sizeof *two));
        same(w, wakeup_tree_at(w, a)->child, wakeup_tree_at(w, b)->child);
        same(w, wakeup_tree_at(w, a)->next, wakeup_tree_at(w, b)->next);
}

static void streams(void)
{
        struct wakeup_tree w = {0};
        struct stream s = STREAM_INIT;
        uint32_t list = example(&w), copy;

        wakeup_tree_put(&w, list, &s);
        wakeup_tree_put(&w, 0, &s);
        CHECK(wakeup_tree_get(&w, &copy, &s));
        same(&w, list, copy);
        CHECK(wakeup_tree_get_none(&s) && stream_done(&s) && wakeup_tree_check(&w));
        stream_fini(&s);
        wakeup_tree_fini(&w);
}

static void steps_are_used_again(void)
{
        struct wakeup_tree w = {0};
        uint32_t list = example(&w), n = w.steps.n;

        wakeup_tree_drop_list(&w, list);
        CHECK(wakeup_tree_check(&w));
        example(&w);
        CHECK(w.steps.n == n && !w.unused);
        wakeup_tree_fini(&w);
}

#define FAULT(place, wrong)                      \
        do {                                     \
                __typeof__(place) kept_ = place; \
                place = wrong;                   \
                CHECK(!wakeup_tree_check(&w));   \
                place = kept_;                   \
                CHECK(wakeup_tree_check(&w));    \
        } while (0)

static void faults_are_seen(void)
{
        struct wakeup_tree w = {0};
        uint32_t list = example(&w), dropped = wakeup_tree_add(&w, 5, OP_WRITE, two, 1, WAKEUP_SURE);

        wakeup_tree_drop(&w, dropped);
        FAULT(wakeup_tree_at(&w, 5)->child, 3u);           /* in two lists */
        FAULT(wakeup_tree_at(&w, 5)->next, list + 1);      /* ... */
        FAULT(wakeup_tree_at(&w, 3)->next, w.steps.n);     /* no step */
        FAULT(wakeup_tree_at(&w, dropped)->next, dropped); /* the unused ones are a cycle */
        FAULT(wakeup_tree_at(&w, 3)->child, dropped);      /* used and unused */
        FAULT(w.unused, 2u);
        wakeup_tree_fini(&w);
}

int main(void)
{
        streams();
        steps_are_used_again();
        faults_are_seen();
        return 0;
}
