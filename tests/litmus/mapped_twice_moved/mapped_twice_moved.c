/* mremap() with an old size of 0 gives the memory a second address. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static int *writes, *reads;

static void *set(void *arg)
{
        *writes = 1;
        return arg;
}

int main(void)
{
        int fd = shm_open("/heddle-litmus-moved", O_CREAT | O_RDWR, 0600);
        pthread_t t;

        assert(ftruncate(fd, 64) == 0);
        writes = mmap(NULL, 64, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        reads = mremap(writes, 0, 64, MREMAP_MAYMOVE);
        assert(reads != MAP_FAILED);
        pthread_create(&t, NULL, set, NULL);
        assert(*reads < 2);
        pthread_join(t, NULL);
        shm_unlink("/heddle-litmus-moved");
        return 0;
}
