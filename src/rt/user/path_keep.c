/* See path_keep.h.  A bit has its place by its number in the thread's path, so each execution overwrites the one before. */
#include "rt/user/path_keep.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "rt/fault.h"
#include "rt/position.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "wire/recording.h"

bool path_kept;
static struct rec_memory *kept;

void path_keep_init(void)
{
        const char *file = getenv(REC_ENV); /* of the explorer: no descriptor is handed down to the program */
        int fd = file && file[0] == '/' ? (int)rt_syscall6(SYS_open, (long)file, O_RDWR | O_CLOEXEC, 0, 0, 0, 0) : -1;
        struct stat st = {0};
        long at;

        if (fd < 0)
                return;
        rt_syscall6(SYS_fstat, fd, (long)&st, 0, 0, 0, 0);
        if ((size_t)st.st_size < sizeof *kept)
                rt_fault("the runtime could not map the recording");
        unsetenv(REC_ENV);
        at = rt_syscall6(SYS_mmap, 0, (long)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (at < 0 && at > -4096)
                rt_fault("the runtime could not map the recording");
        rt_syscall6(SYS_close, fd, 0, 0, 0, 0, 0);
        kept = (struct rec_memory *)at;
        path_kept = kept->magic == REC_MAGIC;
        kept->attached = 1;
}

void path_keep(struct thread *t, uint64_t value, uint32_t bits)
{
        struct rec_thread *r = &kept->threads[t->id];
        struct rec_entry *ring = &kept->entries[(uint64_t)t->id * kept->ring];

        if (t->id >= REC_MAX_THREADS)
                return;
        while (bits--) {
                uint64_t n = t->path.at++, i = n / REC_BITS, in = n % REC_BITS;

                r->n = i + 1;
                r->bits = t->path.at;
                if (i >= kept->ring) /* the reader refuses it */
                        return;
                ring[i].word = (in ? ring[i].word << 1 : 0) | (value >> bits & 1);
                ring[i].info = REC_INFO(REC_BRANCHES, in + 1, 0, 0);
        }
}

void path_keep_position(struct thread *t, uint64_t at)
{
        if (t->id >= REC_MAX_THREADS)
                return;
        kept->threads[t->id].bits = at;
        if (at && at <= kept->ring)
                kept->entries[(uint64_t)t->id * kept->ring + at - 1] = (struct rec_entry){.word = position_of(t)};
}
