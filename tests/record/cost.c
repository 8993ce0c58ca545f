/*
 * What a recording costs: the work of seven kinds of program, in amounts that take some tenths of a second.
 *
 *     cost racey|pfscan|aget|pbzip2|bbuf|sbuf|pool
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 2
#define SIZE    (1 << 16)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static volatile unsigned sig[64];
static char text[SIZE];
static unsigned long total;
static int slots[16], count, in, out;

static unsigned mix(unsigned i, unsigned j)
{
        unsigned x = sig[i % 64] ^ (j << 16 | j >> 16);

        return x * 2654435761u + i;
}

static void racey(void)
{
        for (unsigned i = 0; i < 48000000; i++)
                sig[i % 64] = mix(i, sig[(i * 7) % 64]);
}

/* Looks for a word, as a scanner does. */
static void pfscan(void)
{
        unsigned long n = 0;

        for (int round = 0; round < 2000; round++)
                for (const char *p = text; (p = memchr(p, 'n', (size_t)(text + SIZE - p))) != NULL; p++)
                        if (strncmp(p, "needle", 6) == 0)
                                n++;
        pthread_mutex_lock(&lock);
        total += n;
        pthread_mutex_unlock(&lock);
}

/* Copies parts, and adds up what was written. */
static void aget(void)
{
        static _Thread_local char part[4096];

        for (int i = 0; i < 3200000; i++) {
                unsigned offset = (unsigned)i * 4096u % (SIZE - 4096), n = 512 + (unsigned)i % 3000;
                memcpy(part, text + offset, n);
                pthread_mutex_lock(&lock);
                total += n + (unsigned char)part[n - 1];
                pthread_mutex_unlock(&lock);
        }
}

/* Run lengths and a table of frequencies, block by block. */
static void pbzip2(void)
{
        for (int block = 0; block < 4500; block++) {
                unsigned freq[256] = {0}, runs = 0;
                for (int i = 1; i < SIZE; i++) {
                        freq[(unsigned char)text[i]]++;
                        if (text[i] == text[i - 1])
                                runs++;
                }
                pthread_mutex_lock(&lock);
                total += runs + freq['n'];
                pthread_mutex_unlock(&lock);
        }
}

static void put(int v)
{
        pthread_mutex_lock(&lock);
        while (count == 16)
                pthread_cond_wait(&changed, &lock);
        slots[in] = v;
        in = (in + 1) % 16;
        count++;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
}

static int get(void)
{
        pthread_mutex_lock(&lock);
        while (count == 0)
                pthread_cond_wait(&changed, &lock);
        int v = slots[out];
        out = (out + 1) % 16;
        count--;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
        return v;
}

static void bbuf(long self)
{
        for (int i = 0; i < 180000; i++)
                if (self)
                        put(i);
                else
                        total += (unsigned long)get();
}

/* The lock of a string buffer is hardly ever contended. */
static void sbuf(void)
{
        pthread_mutex_t own_lock = PTHREAD_MUTEX_INITIALIZER;
        unsigned long sum = 0;

        for (int i = 0; i < 12000000; i++) {
                char own[32];
                int n = 0;
                pthread_mutex_lock(&own_lock);
                for (; n < 16 && text[(i + n) % SIZE]; n++)
                        own[n] = text[(i + n) % SIZE];
                sum += (unsigned long)own[n / 2];
                pthread_mutex_unlock(&own_lock);
        }
        pthread_mutex_lock(&lock);
        total += sum;
        pthread_mutex_unlock(&lock);
}

/* A server: takes a request, parses it, looks it up, formats an answer. */
static void pool(void)
{
        for (int i = 0; i < 600000; i++) {
                char request[64], method[8], path[32], answer[128];
                int n = snprintf(request, sizeof request, "GET /item/%d?v=%d HTTP/1.1", i, i % 7);
                if (sscanf(request, "%7s %31s", method, path) != 2 || strcmp(method, "GET") != 0)
                        continue;
                unsigned h = 5381;
                for (const char *p = path; *p; p++)
                        h = h * 33 + (unsigned char)*p;
                n = snprintf(answer, sizeof answer, "200 OK %u %d", h, n);
                pthread_mutex_lock(&lock);
                total += (unsigned long)n;
                pthread_mutex_unlock(&lock);
        }
}

static const char *what;

static void *run(void *arg)
{
        if (!strcmp(what, "racey"))
                racey();
        else if (!strcmp(what, "pfscan"))
                pfscan();
        else if (!strcmp(what, "aget"))
                aget();
        else if (!strcmp(what, "pbzip2"))
                pbzip2();
        else if (!strcmp(what, "bbuf"))
                bbuf((long)arg);
        else if (!strcmp(what, "sbuf"))
                sbuf();
        else
                pool();
        return NULL;
}

int main(int argc, char **argv)
{
        pthread_t t[THREADS];

        what = argc > 1 ? argv[1] : "pool";
        for (int i = 0; i < SIZE; i++)
                text[i] = "the needle in a haystack, and no other"[i % 37];
        for (long i = 0; i < THREADS; i++)
                pthread_create(&t[i], NULL, run, (void *)i);
        for (int i = 0; i < THREADS; i++)
                pthread_join(t[i], NULL);
        return 0;
}
