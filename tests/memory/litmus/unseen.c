/*
 * Stores that are not events, after stores that wait in the buffer.
 *
 *     -DFORM=LIBC    by a function of libc, over what was stored before
 *     -DFORM=OWN     between heddle_ignore_begin and _end, over what was stored before: the thread must see it
 *     -DFORM=BEHIND  the same elsewhere: others must not see it before what was stored first (but under pso)
 *     -DFORM=FENCE   with --trust update: the atomic update waits for the buffer all the same
 */
#include <assert.h>
#include <heddle/heddle.h>
#include <stdio.h>
#include <string.h>

#include "shape.h"

#define LIBC   1
#define OWN    2
#define BEHIND 3
#define FENCE  4

static volatile int x, y, other;
static atomic_int updated;
static char text[16];
int r1, r2;

static __attribute__((noinline)) void update(void)
{
        atomic_fetch_add(&updated, 1);
}

static void *left(void *arg)
{
        if (FORM == LIBC) {
                memset(text, 0, sizeof text);
                r1 = other;
                snprintf(text, sizeof text, "%d", 42);
                r1 = other;
                assert(strlen(text) == 2);
                return arg;
        }
        x = 1;
        if (FORM == FENCE) {
                update();
                r1 = y;
                return arg;
        }
        heddle_ignore_begin();
        if (FORM == OWN)
                x = 2;
        else
                y = 1;
        heddle_ignore_end();
        r1 = other;
        assert(FORM != OWN || x == 2);
        return arg;
}

static void *right(void *arg)
{
        if (FORM == LIBC) {
                other = text[3];
                return arg;
        }
        if (FORM == FENCE) {
                y = 1;
                update();
                r2 = x;
                return arg;
        }
        other = 1;
        r2 = y * 2;
        r2 += x;
        return arg;
}

int main(void)
{
        RUN(left, right);
}
