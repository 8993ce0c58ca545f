/* A function whose code is not that of this module.  PART: 1 the program, 2 the other body, 3 one for --wrap, 4 one for assembler,
 * 5 one that ignores its argument. */
#include <pthread.h>
#include <stdlib.h>

#if PART == 1
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

#ifdef DECLARED
int look(int value);
#else
__attribute__((weak)) int look(int value)
{
        (void)value;
        return 0;
}
#endif
int hidden;

static void set(int *where, int value)
{
        pthread_mutex_lock(&lock);
        *where = value;
        pthread_mutex_unlock(&lock);
}

static void *writer(void *unused)
{
        set(&x, 1);
        return unused;
}

int main(void)
{
        pthread_t a;

        pthread_create(&a, NULL, writer, NULL);
        pthread_mutex_lock(&lock);
        int value = x;
        pthread_mutex_unlock(&lock);
        pthread_join(a, NULL);
        hidden = value;
        if (look(value))
                abort();
        return 0;
}
#elif PART == 2
int look(int value)
{
        return value;
}
#elif PART == 3
int __wrap_look(int value)
{
        return value;
}
#elif PART == 5
int look(int value)
{
        (void)value;
        return 0;
}
#elif PART == 4
__asm__(".text\n.globl look\nlook: movl hidden(%rip), %eax\nret");
#endif
