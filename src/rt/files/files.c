/* See files.h. */
#include "rt/files/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "rt/files/calls.h"
#include "rt/files/names.h"
#include "rt/files/node.h"
#include "rt/util.h"

/* Performs the call with its arguments in the order of files.def. */
#define D  AT_FDCWD
#define A0 a[0]
#define A1 a[1]
#define A2 a[2]
#define A3 a[3]
#define A4 a[4]
#define FILES(name, function, ...)                   \
        static long on_##name(const long *a)         \
        {                                            \
                const long given[5] = {__VA_ARGS__}; \
                (void)a;                             \
                return function(given);              \
        }
#include "rt/files/files.def"
#undef FILES

static const struct {
        long nr;
        long (*perform)(const long *a);
} calls[] = {
#define FILES(name, function, ...) {SYS_##name, on_##name},
#include "rt/files/files.def"
#undef FILES
};

#define N_CALLS (sizeof calls / sizeof *calls)

bool files_call(long nr, const long *a, long *result, bool *opened)
{
        for (unsigned i = 0; i < N_CALLS; i++)
                if (calls[i].nr == nr) {
                        *opened = nr == SYS_open || nr == SYS_openat || nr == SYS_openat2 || nr == SYS_creat ||
                                  nr == SYS_memfd_create;
                        *result = calls[i].perform(a);
                        return true;
                }
        return false;
}

long files_number(unsigned i)
{
        return i < N_CALLS ? calls[i].nr : -1;
}

static uint32_t cell_of(const struct stat *st)
{
        int node = node_of_memory(st->st_dev, st->st_ino);

        if (node >= 0)
                return node_at(node)->kind == NODE_FILE ? node_at(node)->cell : FILES_NO_CELL;
        if (!S_ISREG(st->st_mode))
                return FILES_NO_CELL;
        return st->st_nlink ? node_cell(st->st_dev, st->st_ino) : 0; /* the number of one without a name may change */
}

uint32_t files_cell(int fd)
{
        struct stat st;

        if (rt_syscall6(SYS_fstat, fd, (long)&st, 0, 0, 0, 0) != 0)
                return FILES_NO_CELL;
        return cell_of(&st);
}

uint32_t files_cell_at(int dirfd, const char *path)
{
        static struct place p;
        const long a[] = {dirfd, (long)path};
        struct stat st;

        if (file_find(a, true, &p) < 0 || p.absent || p.opaque)
                return FILES_NO_CELL;
        if (p.node >= 0)
                return node_at(p.node)->kind == NODE_FILE ? node_at(p.node)->cell : FILES_NO_CELL;
        if (rt_syscall6(SYS_stat, (long)path_machine(&p), (long)&st, 0, 0, 0, 0) != 0)
                return FILES_NO_CELL;
        return cell_of(&st);
}

void files_save(void)
{
        names_save();
        node_save();
        path_save();
}

bool files_none(void)
{
        return !names_any() && !node_count();
}

void files_restore(bool shared)
{
        if (!files_none()) {
                names_restore();
                node_restore(shared);
        }
        path_restore();
}
