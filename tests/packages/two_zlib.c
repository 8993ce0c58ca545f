/* Two threads, one stream each, over the same input: what each makes must come back as it was. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <zlib.h>

static const char text[] = "a heddle decides which threads go up and which stay down; a heddle decides which threads";

static void *run(void *level)
{
        unsigned char packed[256], back[sizeof text];
        uLongf n = sizeof packed, m = sizeof back;

        assert(compress2(packed, &n, (const unsigned char *)text, sizeof text, *(int *)level) == Z_OK);
        assert(uncompress(back, &m, packed, n) == Z_OK);
        assert(m == sizeof text && memcmp(text, back, m) == 0);
        return NULL;
}

int main(void)
{
        static int levels[] = {1, 9};
        pthread_t t[2];

        for (int i = 0; i < 2; i++)
                pthread_create(&t[i], NULL, run, &levels[i]);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        return 0;
}
