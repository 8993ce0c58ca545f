/* RVExample: the main thread works, too. */
#include <pthread.h>

static int x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *arg)
{
        for (int i = 0; i < 2; i++) {
                pthread_mutex_lock(&m);
                x = 0;
                pthread_mutex_unlock(&m);
                if (x > 0) {
                        y++;
                        x = 2;
                }
        }
        return arg;
}

static void *two(void *arg)
{
        int error = 0;

        for (int i = 0; i < 2; i++) {
                if (x > 1) {
                        if (y == 3)
                                error++;
                        else
                                y = 2;
                }
        }
        (void)error;
        return arg;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, 0, one, 0);
        pthread_create(&b, 0, two, 0);
        for (int i = 0; i < 2; i++) {
                pthread_mutex_lock(&m);
                x = 1;
                y = 1;
                pthread_mutex_unlock(&m);
        }
        pthread_join(a, 0);
        pthread_join(b, 0);
        return 0;
}
