/* An access that is not aligned and crosses a boundary of 8 bytes is two. */
#include "../litmus.h"

static struct __attribute__((packed)) {
        char before[5];
        unsigned v;
} x __attribute__((aligned(8)));
unsigned seen;

static void *writer(void *arg)
{
        x.v = 0x02020202;
        return NULL;
}

static void *reader(void *arg)
{
        seen = x.v;
        return NULL;
}

int main(void)
{
        RUN(writer, reader);
        return 0;
}
