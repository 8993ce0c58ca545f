/* A lost update behind races of counters that nobody reads. */
#include <assert.h>
#include <pthread.h>

static long counters[8];
static int sum;

static void *add(void *unused)
{
        for (int i = 0; i < 12; i++) {
                counters[0]++;
                counters[1]++;
                counters[2] += 3;
                counters[3] += 2;
                counters[4]++;
                counters[5]++;
                counters[6]++;
                counters[7]++;
        }
        int was = sum;
        sum = was + 1;
        for (int i = 0; i < 12; i++) {
                counters[0]++;
                counters[1]++;
                counters[2] += 3;
                counters[3] += 2;
        }
        return unused;
}

int main(void)
{
        pthread_t t[2];

        for (int i = 0; i < 2; i++)
                pthread_create(&t[i], NULL, add, NULL);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        assert(sum == 2);
        return 0;
}
