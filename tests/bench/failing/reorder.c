/* SETTERS threads write two variables that belong together, CHECKERS look at both: one sees them half written. */
#include <assert.h>
#include <pthread.h>

#ifndef SETTERS
#define SETTERS 2
#endif
#ifndef CHECKERS
#define CHECKERS 1
#endif

static volatile int a, b;

static void *set(void *arg)
{
        a = 1;
        b = -1;
        return arg;
}

static void *check(void *arg)
{
        int x = a, y = b;

        assert((x == 0 && y == 0) || (x == 1 && y == -1));
        return arg;
}

int main(void)
{
        pthread_t t[SETTERS + CHECKERS];

        for (int i = 0; i < SETTERS + CHECKERS; i++)
                pthread_create(&t[i], NULL, i < SETTERS ? set : check, NULL);
        for (int i = 0; i < SETTERS + CHECKERS; i++)
                pthread_join(t[i], NULL);
        return 0;
}
