/* A download in parts: each thread adds what it wrote to a total outside the lock that the thread which saves the state takes. */
#include <assert.h>
#include <pthread.h>

#define PARTS 3
#define BYTES 60

static unsigned long bwritten;
static int left = PARTS;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static unsigned receive(unsigned offset, unsigned end)
{
        unsigned n = 1 + offset * 5 % 7;

        return offset + n > end ? end - offset : n;
}

static void *part(void *arg)
{
        for (unsigned offset = 0; offset < BYTES;) {
                unsigned n = receive(offset, BYTES);
                offset += n;
                unsigned long now = bwritten;
                if (now > PARTS * BYTES)
                        break;
                bwritten = now + n;
        }
        pthread_mutex_lock(&lock);
        left--;
        pthread_mutex_unlock(&lock);
        return arg;
}

static void save_log(void)
{
        pthread_mutex_lock(&lock);
        int open = left;
        pthread_mutex_unlock(&lock);
        if (open == 0)
                assert(bwritten == PARTS * BYTES);
}

int main(void)
{
        pthread_t t[PARTS];

        for (int i = 0; i < PARTS; i++)
                pthread_create(&t[i], NULL, part, NULL);
        save_log();
        for (int i = 0; i < PARTS; i++)
                pthread_join(t[i], NULL);
        save_log();
        return 0;
}
