/*
 * The estimators on the tree of Landslide's worked example: six branches A B C K L M of six transitions, which marks
 * appear after which, and what both estimators say after each.  Every transition costs 1.
 *
 *     root ── 1 ── tmp1++ ─┬─ A (4 more)
 *      │                   └─ 3 ── tmp2++ ─┬─ B (2 more)
 *      │                                   └─ C
 *      └───── 1 ── tmp2++ ─┬─ K (4 more)
 *                          └─ 3 ── tmp1++ ─┬─ L (2 more)
 *                                          └─ M
 */
#include "strategy/estimate.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

static struct estimate_level path[6];

static struct estimate_level level(const void *arg, uint32_t i)
{
        (void)arg;
        return path[i];
}

static void expect(const struct estimate *e, int branches, double total, double seconds)
{
        struct estimate_guess g = estimate_guess(e, 6, level, NULL);

        assert(fabs(estimate_share(6, level, NULL) - g.share) < 1e-12);
        if (fabs(branches / g.share - total) > 0.01 || fabs(g.cost - seconds) > 0.01) {
                printf("after %d: %f branches, %f s\n", branches, branches / g.share, g.cost);
                assert(0);
        }
}

static void all_single(void)
{
        for (int i = 0; i < 6; i++)
                path[i] = (struct estimate_level){1, 1};
}

static void worked_example(void)
{
        struct estimate e = {0};

        all_single();
        assert(!estimate_add(&e, 0, 6, 6)); /* A, and two marks */
        path[0] = path[2] = (struct estimate_level){2, 1};
        expect(&e, 1, 4, 20);
        assert(!estimate_add(&e, 2, 6, 4)); /* B, and one more */
        path[2] = (struct estimate_level){2, 2};
        path[4] = (struct estimate_level){2, 1};
        expect(&e, 2, 16.0 / 3, 24);
        assert(!estimate_add(&e, 4, 6, 2)); /* C */
        path[4] = (struct estimate_level){2, 2};
        expect(&e, 3, 6, 24);
        assert(!estimate_add(&e, 0, 6, 6)); /* K, and one mark */
        all_single();
        path[0] = (struct estimate_level){2, 2};
        path[2] = (struct estimate_level){2, 1};
        expect(&e, 4, 16.0 / 3, 22);
        assert(!estimate_add(&e, 2, 6, 4)); /* L, and one more */
        path[2] = (struct estimate_level){2, 2};
        path[4] = (struct estimate_level){2, 1};
        expect(&e, 5, 40.0 / 7, 24);
        assert(!estimate_add(&e, 4, 6, 2)); /* M */
        path[4] = (struct estimate_level){2, 2};
        expect(&e, 6, 6, 24);
        estimate_fini(&e);
}

/* The same without the subtree of L and M: too much is expected until K. */
static void pruned(void)
{
        struct estimate e = {0};

        all_single();
        assert(!estimate_add(&e, 0, 6, 6));
        assert(!estimate_add(&e, 2, 6, 4));
        assert(!estimate_add(&e, 4, 6, 2));
        assert(!estimate_add(&e, 0, 6, 6));
        path[0] = (struct estimate_level){2, 2};
        expect(&e, 4, 4, 18);
        estimate_fini(&e);
}

static void empty_and_reset(void)
{
        struct estimate e = {0};
        struct estimate_guess g = estimate_guess(&e, 0, level, NULL);

        assert(g.share == 1 && g.cost == 0);
        assert(!estimate_add(&e, 0, 6, 6));
        estimate_reset(&e);
        assert(e.spent == 0 && e.runs.n == 0);
        all_single();
        assert(!estimate_add(&e, 0, 6, 12));
        expect(&e, 1, 1, 12);
        estimate_fini(&e);
}

int main(void)
{
        worked_example();
        pruned();
        empty_and_reset();
        return 0;
}
