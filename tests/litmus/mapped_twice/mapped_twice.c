/* Two threads map the same memory, each at an address of its own, and count there: the update can be lost, but accesses to
 * different addresses are not seen as conflicts. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static int fd;

static void *add(void *arg)
{
        int *p = mmap(NULL, 64, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        int old = *p;

        *p = old + 1;
        return arg;
}

int main(void)
{
        pthread_t t[2];
        int *p;

        fd = shm_open("/heddle-litmus-twice", O_CREAT | O_RDWR, 0600);
        assert(ftruncate(fd, 64) == 0);
        for (int i = 0; i < 2; i++)
                pthread_create(&t[i], NULL, add, NULL);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        p = mmap(NULL, 64, PROT_READ, MAP_SHARED, fd, 0);
        assert(*p <= 2);
        shm_unlink("/heddle-litmus-twice");
        return 0;
}
