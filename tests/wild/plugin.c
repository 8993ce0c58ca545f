/* A program and the library that it loads by dlopen, which synchronises by atomics (-DLIBRARY).  The first argument names a function
 * of the library that two threads call, the second one whether the threads load it themselves. */
#ifdef LIBRARY
#include <stdatomic.h>

static _Atomic int number;

/* Read and written in two steps, each of them atomic. */
void lost_update(void)
{
        int old = atomic_load(&number);

        atomic_store(&number, old + 1);
}

void update(void)
{
        atomic_fetch_add(&number, 1);
}

int result(void)
{
        return atomic_load(&number);
}
#else
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void (*function)(void);
static const char *name;

static void *load(void)
{
        void *library = dlopen("libplugin.so", RTLD_NOW); /* found beside the program */

        if (!library)
                exit(2);
        return library;
}

static void *call(void *arg)
{
        function();
        return arg;
}

static void *load_and_call(void *arg)
{
        void (*own)(void);

        *(void **)&own = dlsym(load(), name);
        own();
        return arg;
}

int main(int argc, char **argv)
{
        const char *late = argc > 1 ? strstr(argv[1], "_late") : NULL;
        pthread_t t[2];
        int (*result)(void);

        if (argc < 2)
                return 2;
        name = late ? strndup(argv[1], (size_t)(late - argv[1])) : argv[1];
        if (!late)
                *(void **)&function = dlsym(load(), name);
        for (int i = 0; i < 2; i++)
                pthread_create(&t[i], NULL, late ? load_and_call : call, NULL);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        *(void **)&result = dlsym(load(), "result");
        if (result() != 2)
                abort();
        return 0;
}
#endif
