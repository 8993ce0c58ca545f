/* Two accounts, of which only the owner's thread ever touches each: without the invariant nothing here is shared.  That
 * both are low shows in one order only. */
#include <pthread.h>

int a = 5, b __attribute__((aligned(64))) = 5;
int *where;
struct node {
        int value;
        struct node *next;
} *list;

int not_both_low(void)
{
        return a != 4 || b != 4;
}

int a_before_b(void)
{
        return a != 5 || b != 6;
}

int total(void)
{
        return a + b == 10;
}

int pointed(void)
{
        return !where || *where != 4;
}

static void *left(void *arg)
{
        a--;
        a++;
        return arg;
}

static void *right(void *arg)
{
        b--;
        b++;
        b++;
        where = &b;
        b -= 2;
        b++;
        return arg;
}

int main(void)
{
        pthread_t t[2];

        pthread_create(&t[0], NULL, left, NULL);
        pthread_create(&t[1], NULL, right, NULL);
        pthread_join(t[0], NULL);
        pthread_join(t[1], NULL);
        return 0;
}
