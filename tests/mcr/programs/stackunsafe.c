/* StackUnsafe: one thread pushes twice, another pops twice, without a lock. */
#include <pthread.h>

static int top, stack[4];

static void push(int value)
{
        stack[top] = value;
        top++;
}

static int pop(void)
{
        if (top == 0)
                return 0;
        top--;
        return stack[top];
}

static void *pushes(void *arg)
{
        push(1);
        push(2);
        return arg;
}

static void *pops(void *arg)
{
        pop();
        pop();
        return arg;
}

int main(void)
{
        pthread_t t[2];

        pthread_create(&t[0], 0, pushes, 0);
        pthread_create(&t[1], 0, pops, 0);
        pthread_join(t[0], 0);
        pthread_join(t[1], 0);
        return 0;
}
