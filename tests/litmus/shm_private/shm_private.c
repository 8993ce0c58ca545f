/* Shared memory objects are as they were at the start of every execution, and no other process sees them: the name is new each
 * time, and what was written before the threads is still there after them. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NAME "/heddle-litmus-shm"

static int n;

static void *add(void *arg)
{
        __atomic_fetch_add(&n, 1, __ATOMIC_SEQ_CST);
        return arg;
}

static char *map(int flags)
{
        int fd = shm_open(NAME, flags, 0600);
        char *p;

        assert(fd >= 0);
        assert(!(flags & O_CREAT) || ftruncate(fd, 64) == 0);
        p = mmap(NULL, 64, flags & O_CREAT ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, fd, 0);
        assert(p != MAP_FAILED);
        close(fd);
        return p;
}

int main(void)
{
        pthread_t t;
        char *p = map(O_CREAT | O_EXCL | O_RDWR);

        strcpy(p, "text");
        munmap(p, 64);
        pthread_create(&t, NULL, add, NULL);
        add(NULL);
        pthread_join(t, NULL);
        p = map(O_RDONLY);
        assert(strcmp(p, "text") == 0);
        munmap(p, 64);
        assert(shm_unlink(NAME) == 0);
        assert(shm_open(NAME, O_RDONLY, 0) < 0);
        return 0;
}
