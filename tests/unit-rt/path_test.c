/* Threads that leave their recorded path for some branches. */
#include <stdlib.h>
#include <string.h>

#include "rt/sched/path.h"
#include "stub.h"

#define BITS 1000u

static struct wire_down *down;
static struct wire_path *path;

/* What was recorded: bits that do not repeat. */
static bool recorded(uint64_t i)
{
        return (uint32_t)(i * i * 2654435761u) >> 20 & 1;
}

static void begin(struct path_near *n, uint32_t stray)
{
        down->paths.stray = stray;
        *n = (struct path_near){0};
}

/* Follows bits of the path from `from` on; the number of bits that were. */
static uint64_t follow(struct path_near *n, uint64_t *at, uint64_t from, uint64_t until)
{
        for (uint64_t i = from; i < until; i++)
                if (!path_near_follow(n, path, at, recorded(i)))
                        return i - from;
        return until - from;
}

static void nothing_is_allowed(void)
{
        struct path_near n;
        uint64_t at = 10;

        begin(&n, 0);
        CHECK(!path_near_follow(&n, path, &at, !recorded(10)));
        CHECK(!path_near_end(&n, path, BITS));
        CHECK(path_near_place("other.c:7: Assertion `x' failed."));
}

/* The thread makes 12 branches fewer than recorded, then 5 more: afterwards it is where it was recorded to be. */
static void fewer_and_more(void)
{
        struct path_near n;
        uint64_t at = 100;

        begin(&n, 6);
        CHECK(follow(&n, &at, 112, 400) == 288 && n.missed == 12 && at == 400);
        for (uint32_t i = 0; i < 5; i++)
                CHECK(path_near_follow(&n, path, &at, i % 2));
        CHECK(follow(&n, &at, 400, 800) == 400 && n.missed > 12 && n.missed <= 17);
        CHECK(path_near_end(&n, path, BITS - 10) && !path_near_end(&n, path, 800));
}

/* Bits that have nothing to do with the path. */
static void too_far(void)
{
        struct path_near n;
        uint64_t at = 100, i = 0;

        begin(&n, 6);
        while (i < BITS && path_near_follow(&n, path, &at, recorded(77777 + 3 * i)))
                i++;
        CHECK(i < 200 && n.missed > path_near_allowed(path, at));
}

static void behind_the_end(void)
{
        struct path_near n;
        uint64_t at = BITS, i = 0;

        begin(&n, 6);
        while (i < BITS && path_near_follow(&n, path, &at, true))
                i++;
        CHECK(i == path_near_allowed(path, BITS) && at == BITS);
}

static void places(void)
{
        begin(&(struct path_near){0}, 6);
        strcpy(down->paths.place, "a.c:7: ");
        CHECK(path_near_place("/home/a.c:7: main: Assertion `x' failed."));
        CHECK(!path_near_place("/home/a.c:71: main: Assertion `x' failed."));
        CHECK(!path_near_place("a.c:7:") && !path_near_place("") && !path_near_place(NULL));
        down->paths.place[0] = '\0';
        CHECK(path_near_place("anything"));
}

int main(void)
{
        rt.down = down = calloc(1, sizeof *down);
        CHECK(down);
        path = &down->paths.all[0];
        path->bits = BITS;
        for (uint32_t i = 0; i < BITS; i++)
                down->paths.words[i / 64] |= (uint64_t)recorded(i) << (i % 64);
        nothing_is_allowed();
        fewer_and_more();
        too_far();
        behind_the_end();
        places();
        return 0;
}
