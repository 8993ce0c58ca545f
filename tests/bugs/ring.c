/* A ring of one producer and one consumer whose index is moved before the slot is filled. */
#include "bugs.h"

static int slots[2];
static atomic_int head, tail;

static void *producer(void *arg)
{
        for (int i = 1; i <= 2; i++) {
#ifdef FIXED
                slots[head % 2] = i;
                head++;
#else
                head++;
                slots[(head - 1) % 2] = i;
#endif
        }
        return arg;
}

static void *consumer(void *arg)
{
        for (int i = 1; i <= 2; i++) {
                if (tail == head)
                        break;
                assert(slots[tail % 2] == i);
                tail++;
        }
        return arg;
}

int main(void)
{
        RUN(producer, consumer);
        return 0;
}
