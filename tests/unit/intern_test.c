/* Numbers for sequences: equal ones have the same, others another one, however many there are. */
#include "base/intern.h"

#include <assert.h>

static void same_and_other(void)
{
        struct intern t = {0};
        uint64_t a[] = {1, 2, 3}, b[] = {1, 2, 4}, c[] = {1, 2};
        uint32_t na = intern_get(&t, a, 3), nb = intern_get(&t, b, 3), nc = intern_get(&t, c, 2),
                 none = intern_get(&t, a, 0);

        assert(na && nb && nc && none);
        assert(na != nb && na != nc && nb != nc && none != na && none != nb && none != nc);
        assert(intern_get(&t, a, 3) == na && intern_get(&t, b, 3) == nb && intern_get(&t, c, 2) == nc);
        assert(intern_get(&t, c, 0) == none);
        intern_fini(&t);
}

static void many(void)
{
        struct intern t = {0};

        for (int round = 0; round < 2; round++)
                for (uint64_t i = 0; i < 50000; i++) {
                        uint64_t words[] = {i % 7, i, i * i};
                        assert(intern_get(&t, words, 3) == i + 1);
                }
        intern_reset(&t);
        assert(intern_get(&t, &(uint64_t){5}, 1) == 1);
        intern_fini(&t);
}

int main(void)
{
        same_and_other();
        many();
        return 0;
}
