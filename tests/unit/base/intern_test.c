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

/* Numbers are the same after they were stored; what was cut, or holds a sequence twice, is refused. */
static void stored(void)
{
        struct intern t = {0}, u = {0};
        struct stream s = STREAM_INIT;
        uint64_t a[] = {1, 2, 3}, b[] = {4};

        assert(intern_get(&t, a, 3) == 1 && intern_get(&t, b, 1) == 2 && intern_get(&t, b, 0) == 3);
        intern_save(&t, &s);
        assert(intern_load(&u, &s) && stream_done(&s));
        assert(intern_get(&u, b, 0) == 3 && intern_get(&u, b, 1) == 2 && intern_get(&u, a, 3) == 1);
        s.pos = 0;
        s.n--;
        assert(!intern_load(&u, &s));
        stream_reset(&s);
        stream_put_u32(&s, 2);
        for (int i = 0; i < 2; i++)
                stream_put_array(&s, a, 3, sizeof *a);
        assert(!intern_load(&u, &s));
        stream_fini(&s);
        intern_fini(&t);
        intern_fini(&u);
}

int main(void)
{
        same_and_other();
        many();
        stored();
        return 0;
}
