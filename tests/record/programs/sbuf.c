/* A string buffer: append() locks the target, asks the source for its length, and copies later, when that may be shorter. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct sbuf {
        pthread_mutex_t lock;
        char text[64];
        int length;
};

static struct sbuf shared = {PTHREAD_MUTEX_INITIALIZER, "abcdefgh", 8};

static int length_of(struct sbuf *s)
{
        pthread_mutex_lock(&s->lock);
        int n = s->length;
        pthread_mutex_unlock(&s->lock);
        return n;
}

static void copy_out(struct sbuf *s, int n, char *to)
{
        pthread_mutex_lock(&s->lock);
        assert(n <= s->length);
        for (int i = 0; i < n; i++)
                to[i] = s->text[i];
        pthread_mutex_unlock(&s->lock);
}

static void append(struct sbuf *to, struct sbuf *from)
{
        pthread_mutex_lock(&to->lock);
        int n = length_of(from);
        if (to->length + n < 64) {
                copy_out(from, n, to->text + to->length);
                to->length += n;
        }
        pthread_mutex_unlock(&to->lock);
}

static void erase(struct sbuf *s)
{
        pthread_mutex_lock(&s->lock);
        s->length = 0;
        pthread_mutex_unlock(&s->lock);
}

static void *eraser(void *arg)
{
        for (int i = 0; i < 40; i++) {
                erase(&shared);
                pthread_mutex_lock(&shared.lock);
                memcpy(shared.text, "abcdefgh", 8);
                shared.length = 8;
                pthread_mutex_unlock(&shared.lock);
        }
        return arg;
}

int main(void)
{
        pthread_t t;

        pthread_create(&t, NULL, eraser, NULL);
        for (int i = 0; i < 40; i++) {
                struct sbuf own = {PTHREAD_MUTEX_INITIALIZER, "", 0};
                append(&own, &shared);
        }
        pthread_join(t, NULL);
        return 0;
}
