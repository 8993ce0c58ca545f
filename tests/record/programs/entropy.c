/* Clocks and random numbers of several kinds in turns; what was drawn decides the path of a thread, and it fails always. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

extern uint32_t arc4random(void), arc4random_uniform(uint32_t bound);

static unsigned odd;

static void *draw(void *arg)
{
        for (int i = 0; i < 8; i++) {
                uint32_t words[3] = {0};
                struct timespec now;

                if (__rdtsc() == 0)
                        odd += 100;
                if (getentropy(words, sizeof words) == 0 && words[i % 3] & 1)
                        odd++;
                clock_gettime(CLOCK_REALTIME, &now);
                if (now.tv_nsec & 1)
                        odd++;
                if (arc4random() & 1)
                        odd++;
                if (time(NULL) & 1)
                        odd++;
                if (arc4random_uniform(100) < 50)
                        odd++;
                if (rand() & 1)
                        odd++;
        }
        return arg;
}

int main(void)
{
        pthread_t t;

        pthread_create(&t, NULL, draw, NULL);
        pthread_join(t, NULL);
        assert(odd > 100);
        return 0;
}
