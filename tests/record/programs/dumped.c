/* Asks for a recording where a value that was read twice differs; the program itself does not fail. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include <heddle/heddle.h>

static atomic_int x;

static void *writer(void *arg)
{
        usleep(10000);
        atomic_store(&x, 1);
        return arg;
}

int main(void)
{
        pthread_t t;
        int before = atomic_load(&x);

        pthread_create(&t, NULL, writer, NULL);
        usleep(40000);
        if (atomic_load(&x) != before)
                heddle_record_dump();
        pthread_join(t, NULL);
        return 0;
}
