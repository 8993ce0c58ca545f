/* A lock of the program's own (HEDDLE_LOCK), released by a store that waits in the buffer; then store buffering. */
#include <assert.h>
#include <heddle/heddle.h>
#include <stdatomic.h>

#include "../../litmus/litmus.h"

static atomic_int taken;
static volatile int inside, count, x, y;
int r1, r2;

HEDDLE_LOCK static void lock(void)
{
        while (atomic_exchange(&taken, 1))
                ;
}

HEDDLE_LOCK static void unlock(void)
{
        atomic_store_explicit(&taken, 0, memory_order_release);
}

static void update(void)
{
        lock();
        assert(!inside);
        inside = 1;
        count++;
        inside = 0;
        unlock();
}

static void *left(void *arg)
{
        update();
        x = 1;
        r1 = y;
        return arg;
}

static void *right(void *arg)
{
        update();
        y = 1;
        r2 = x;
        return arg;
}

int main(void)
{
        RUN(left, right);
}
