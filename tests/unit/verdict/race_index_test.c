/* The table of races: each is entered once and found again, however many there are and wherever their hashes meet. */
#include "verdict/race_index.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANY 20000u

static struct race make(uint32_t i)
{
        struct race r = {0};

        r.access[0].site = 0x400000 + 16 * (i % 200);
        r.access[1].site = 0x400000 + 16 * (i / 200);
        r.access[0].kind = i % 2;
        return r;
}

static void each_is_found(void)
{
        struct result r = {0};

        for (uint32_t i = 0; i < MANY; i++) {
                struct race one = make(i);

                assert(!race_table_find(&r, &one));
                assert(race_table_add(&r, &one) && r.n_races == i + 1);
        }
        for (uint32_t i = 0; i < MANY; i++) {
                struct race one = make(i);

                assert(race_table_find(&r, &one) == &r.races[i]);
        }
        result_drop_races(&r);
        assert(!r.n_races);
}

/* The kinds of the two accesses are a part of what a race is. */
static void other_kinds(void)
{
        struct result r = {0};
        struct race one = make(2), other = make(2);

        other.access[1].kind = one.access[1].kind + 1;
        assert(race_table_add(&r, &one) && race_table_find(&r, &one) && !race_table_find(&r, &other));
        result_drop_races(&r);
}

int main(void)
{
        each_is_found();
        other_kinds();
        puts("race_table: ok");
        return 0;
}
