/* Memory that one thread unmaps while another one reads it. */
#include <pthread.h>
#include <sys/mman.h>

static char *p;

static void *reads(void *arg)
{
        char c = *(volatile char *)p;

        (void)c;
        return arg;
}

static void *unmaps(void *arg)
{
        munmap(p, 4096);
        return arg;
}

int main(void)
{
        pthread_t a, b;

        p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        *p = 1;
        pthread_create(&a, NULL, reads, NULL);
        pthread_create(&b, NULL, unmaps, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
