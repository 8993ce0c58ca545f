/* A cache of the entries used last, with an entry that is evicted between a lookup and its use: the reference is taken in a
 * second section. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define KEYS 6
#define ROOM 3
#ifndef USERS
#define USERS 3
#endif

struct entry {
        int key, users, value;
        struct entry *next;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct entry *list;
static int n;

static struct entry *find(int key)
{
        for (struct entry *e = list; e; e = e->next)
                if (e->key == key)
                        return e;
        return NULL;
}

static void evict(void)
{
        struct entry **p = &list, **victim = NULL;

        for (; *p; p = &(*p)->next)
                if (!(*p)->users)
                        victim = p;
        if (victim) {
                struct entry *e = *victim;
                *victim = e->next;
                free(e);
                n--;
        }
}

static struct entry *insert(int key)
{
        struct entry *e = malloc(sizeof *e);

        if (n == ROOM)
                evict();
        *e = (struct entry){.key = key, .value = key * 10, .next = list};
        list = e;
        n++;
        return e;
}

static int get(int key)
{
        struct entry *e;
        int value;

        pthread_mutex_lock(&m);
        e = find(key);
        if (!e)
                e = insert(key);
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
        e->users++;
        pthread_mutex_unlock(&m);
        value = e->value;
        pthread_mutex_lock(&m);
        e->users--;
        pthread_mutex_unlock(&m);
        return value;
}

static void *user(void *arg)
{
        long me = (long)arg;

        for (int i = 0; i < 3; i++) {
                int key = (int)(me * 2 + i) % KEYS;
                assert(get(key) == key * 10);
        }
        return NULL;
}

int main(void)
{
        pthread_t t[USERS];

        for (long i = 0; i < USERS; i++)
                pthread_create(&t[i], NULL, user, (void *)i);
        for (int i = 0; i < USERS; i++)
                pthread_join(t[i], NULL);
        while (list) {
                struct entry *e = list;
                list = e->next;
                free(e);
        }
        return 0;
}
