/* Memory is mapped twice to be read; then one of the two addresses may be written to, so it is seen at the other one. */
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
        int fd = shm_open("/heddle-litmus-later", O_CREAT | O_RDWR, 0600);
        pthread_t t;

        assert(ftruncate(fd, 64) == 0);
        writes = mmap(NULL, 64, PROT_READ, MAP_SHARED, fd, 0);
        reads = mmap(NULL, 64, PROT_READ, MAP_SHARED, fd, 0);
        assert(mprotect(writes, 64, PROT_READ | PROT_WRITE) == 0);
        pthread_create(&t, NULL, set, NULL);
        assert(*reads < 2);
        pthread_join(t, NULL);
        shm_unlink("/heddle-litmus-later");
        return 0;
}
