/* Parts are dealt out evenly, and the same wherever that happens; what shards remember is bounded. */
#include "parallel/shard_deal.h"

#include <stdlib.h>
#include <string.h>

#include "../events.h"
#include "base/hash.h"
#include "cli/many/shard_file.h"
#include "parallel/shard_classes.h"

static void the_largest_is_alone(void)
{
        struct shard_part p[] = {{.size = 1, .index = 0}, {.size = 5, .index = 1}, {.size = 2, .index = 2},
                                 {.size = 2, .index = 3}, {.size = 1, .index = 4}, {.size = 1, .index = 5}};
        double load[3] = {0};
        uint64_t hash, again;

        CHECK(shard_deal(p, 6, 2, &hash));
        for (uint32_t i = 0; i < 6; i++) {
                CHECK(p[i].index == i && p[i].shard >= 1 && p[i].shard <= 2);
                load[p[i].shard] += p[i].size;
        }
        CHECK(load[1] == 6 && load[2] == 6);
        CHECK(shard_deal(p, 6, 2, &again) && again == hash);
        p[0].size = 9;
        CHECK(shard_deal(p, 6, 2, &again) && again != hash);
}

static void what_was_shown_is_kept_once(void)
{
        struct shard_classes c = {0};
        struct result_shard r = {0};

        for (uint32_t i = 0; i < 1000; i++)
                CHECK(shard_classes_add(&c, i, &(struct result_shown){.outcome = i % 3}));
        CHECK(!shard_classes_full(&c) && c.classes.n == 1000 && c.shown.n == 3);
        CHECK(c.shown.at[c.classes.at[7].shown].outcome == 1);
        shard_classes_hand_over(&c, &r);
        CHECK(r.n_classes == 1000 && r.n_shown == 3 && !c.classes.n);
        free(r.classes);
        free(r.shown);
        shard_classes_reset(&c);
}

/* A million classes with hashes that repeat nothing: at most 20 bytes each in memory, and in the report that `heddle merge` reads. */
static void bytes_of_a_class(void)
{
        enum { N = 1000000, MOST = 20 };
        struct shard_classes c = {0};
        struct result r = {.shard = {.index = 1, .of = 1}};
        struct report_info info = {
                .version = "", .program = "", .strategy = "", .memory = "", .preempt = "", .replay_hint = ""};
        struct config config = {0};
        uint64_t hash = 1;

        for (uint32_t i = 0; i < N; i++) {
                hash = hash_mix(hash, i);
                CHECK(shard_classes_add(&c, hash, &(struct result_shown){.outcome = i % 100, .finding = i % 7}));
        }
        CHECK(c.shown.n == 700);
        CHECK(c.classes.room * sizeof *c.classes.at + c.shown.room * sizeof *c.shown.at <= (uint64_t)N * MOST);
        shard_classes_hand_over(&c, &r.shard);
        CHECK(!shard_file_make(&r, &info, &config));
        CHECK(strlen(r.shard.data) <= (size_t)N * MOST);
        result_fini(&r);
}

/* In a report a class has twelve bytes, in base64. */
static void the_bound(void)
{
        struct shard_classes c = {0};

        CHECK((uint64_t)SHARD_CLASSES * 12 * 4 / 3 < 200 * UINT64_C(1000000));
        if (!getenv("HEDDLE_TEST_LONG"))
                return;
        for (uint32_t i = 0; i < SHARD_CLASSES; i++)
                CHECK(!shard_classes_full(&c) && shard_classes_add(&c, i, &(struct result_shown){0}));
        CHECK(shard_classes_full(&c));
        shard_classes_reset(&c);
}

int main(void)
{
        the_largest_is_alone();
        what_was_shown_is_kept_once();
        bytes_of_a_class();
        the_bound();
        return 0;
}
