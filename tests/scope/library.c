/* A library, and a program that uses it: linked, before and after the threads alone, or loaded while it runs. */
#ifdef LIBRARY
static int count;
int library_add(int n);
int library_add(int n)
{
        return count += n;
}
#else
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>

int library_add(int n);
static int (*add)(int);

static void *work(void *arg)
{
        if (add)
                add(1);
        return arg;
}

int main(int argc, char **argv)
{
        pthread_t a, b;

#ifdef LOADED
        void *library = dlopen(argv[argc - 1], RTLD_NOW);
        assert(library);
        add = (int (*)(int))dlsym(library, "library_add");
        assert(add);
#elif defined ALONE
        library_add(argc);
#else
        (void)argc;
        add = library_add;
#endif
        (void)argv;
        pthread_create(&a, NULL, work, NULL);
        pthread_create(&b, NULL, work, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
#ifdef ALONE
        library_add(1);
#endif
        return 0;
}
#endif
