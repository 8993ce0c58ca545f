/* Numbers from standard input, by scanf and, without a buffer, by read. */
#include "restore.h"

#include <unistd.h>

static int sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void odd(long n)
{
        int v;

        pthread_mutex_lock(&lock);
        assert(scanf("%d", &v) == 1);
        sum += v;
        pthread_mutex_unlock(&lock);
        (void)n;
}

int main(void)
{
        char c;

        restore_run();
        assert(sum == 42);
        assert(lseek(0, 0, SEEK_SET) == 0);
        assert(read(0, &c, 1) == 1 && c == '4');
        return 0;
}
