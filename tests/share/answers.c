/* Choice values inside an atomic section touch different memory. */
#include <heddle/heddle.h>
#include <pthread.h>

int x, y, q, r, s, c;

static void *one(void *arg)
{
        heddle_atomic_begin();
        c = heddle_choose(3);
        *(c == 1 ? &x : c == 2 ? &y : &q) = 1;
        heddle_atomic_end();
        return arg;
}

static void *two(void *arg)
{
        r = x;
        return arg;
}

static void *three(void *arg)
{
        s = y + q;
        return arg;
}

int main(void)
{
        static void *(*const all[])(void *) = {one, two, three};
        pthread_t t[3];
        for (int i = 0; i < 3; i++)
                pthread_create(&t[i], 0, all[i], 0);
        for (int i = 0; i < 3; i++)
                pthread_join(t[i], 0);
}
