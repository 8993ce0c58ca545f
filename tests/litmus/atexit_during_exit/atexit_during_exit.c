/* Each handler runs once, the last registered first, also one that is registered while exit runs the others. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int n, middle_at, late_at, last_at, refused;

static void last(void)
{
        assert(!last_at);
        last_at = ++n;
        assert(middle_at && late_at != LATEST);
}

static void middle(void)
{
        assert(!middle_at && !last_at);
        middle_at = ++n;
}

static void late(void)
{
        assert(!late_at && !refused);
        late_at = ++n;
}

static void *registers(void *arg)
{
        refused = atexit(late);
        return arg;
}

int main(void)
{
        pthread_t a;

        atexit(last);
        atexit(middle);
        pthread_create(&a, NULL, registers, NULL);
        return 0;
}
