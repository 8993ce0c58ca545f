/*
 * What every litmus program does: start its threads, join them.  -DREVERSE=1 starts them in the other order, which must
 * change neither counts nor outcomes.
 */
#ifndef LITMUS_H
#define LITMUS_H

#include <pthread.h>
#include <stddef.h>

#ifndef REVERSE
#define REVERSE 0
#endif

typedef void *(*litmus_thread)(void *);

/* RUN(a, b, ...) runs these functions in a thread each, and returns when all have ended. */
#define RUN(...)                                                                                                       \
        litmus_run((const litmus_thread[]){__VA_ARGS__}, sizeof((litmus_thread[]){__VA_ARGS__}) / sizeof(litmus_thread))

static inline void litmus_run(const litmus_thread *functions, size_t n)
{
        pthread_t threads[16];

        for (size_t i = 0; i < n; i++) {
                size_t who = REVERSE ? n - 1 - i : i;
                pthread_create(&threads[who], NULL, functions[who], NULL);
        }
        for (size_t i = 0; i < n; i++)
                pthread_join(threads[i], NULL);
}

#endif
