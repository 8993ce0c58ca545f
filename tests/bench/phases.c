/* Phases with barriers between them over shared arrays, as in a clustering of points: each thread computes costs of its points, one sums
 * them up and decides, each assigns its points.  The argument is the number of points. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define THREADS 2
#define ROUNDS  3
#define DIM     16
#define MOST    4096

static float point[MOST][DIM], cost[MOST], gain[THREADS];
static int center[MOST], open_center, n;
static pthread_barrier_t barrier;

static float distance(const float *a, const float *b)
{
        float sum = 0;

        for (int i = 0; i < DIM; i++)
                sum += (a[i] - b[i]) * (a[i] - b[i]);
        return sum;
}

static void *work(void *arg)
{
        int id = (int)(long)arg, lo = id * n / THREADS, hi = (id + 1) * n / THREADS;

        for (int round = 0; round < ROUNDS; round++) {
                int candidate = (round + 1) * n / (ROUNDS + 2);

                gain[id] = 0;
                for (int i = lo; i < hi; i++) {
                        float d = distance(point[i], point[candidate]);

                        if (d < cost[i])
                                gain[id] += cost[i] - d;
                }
                pthread_barrier_wait(&barrier);
                if (id == 0)
                        open_center = gain[0] + gain[1] > 1;
                pthread_barrier_wait(&barrier);
                for (int i = lo; i < hi && open_center; i++) {
                        float d = distance(point[i], point[candidate]);

                        if (d < cost[i]) {
                                cost[i] = d;
                                center[i] = candidate;
                        }
                }
                pthread_barrier_wait(&barrier);
        }
        return NULL;
}

int main(int argc, char **argv)
{
        pthread_t t;

        n = argc > 1 ? atoi(argv[1]) : 64;
        for (int i = 0; i < n; i++) {
                for (int k = 0; k < DIM; k++)
                        point[i][k] = (float)((i * 31 + k * 17) % 64);
                cost[i] = distance(point[i], point[0]);
        }
        pthread_barrier_init(&barrier, NULL, THREADS);
        pthread_create(&t, NULL, work, (void *)1);
        work((void *)0);
        pthread_join(t, NULL);
        for (int i = 0; i < n; i++)
                assert(cost[i] == distance(point[i], point[center[i]]));
        return 0;
}
