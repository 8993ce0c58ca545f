/*
 * Functions that read from outside: what they leave behind (a position in a file) is no memory of the program, but a loop
 * that calls one makes progress.  Those of stdio stand in stream.def.
 *
 * Who reads first gets what comes first: a call that moves the position of a stream or descriptor is an update of a cell
 * of ours that stands for it.  Several may have one cell, which costs executions and loses none.
 */
#include <dirent.h>
#include <unistd.h>

#include "rt/core.h"
#include "rt/spin.h"

#define CELLS 1024u

static uint64_t cells[CELLS] __attribute__((aligned(8)));

static void move(uintptr_t of, const char *name, uintptr_t site, int mo)
{
        uint64_t *cell = &cells[of * UINT64_C(0x9e3779b97f4a7c15) >> 54];
        uintptr_t via = rt_cur->via;

        spin_progress(rt_cur);
        if (!rt_on() || rt_site_in_libc(site))
                return;
        if (rt.flags & WIRE_DETAIL)
                rt_name_object(cell, name);
        rt_cur->via = via ? via : site;
        atomic_announce(OP_RMW, (uintptr_t)cell, sizeof *cell, mo);
        rt_cur->via = via;
}

/* Streams have locks. */
void input_stream(const void *file, uintptr_t site)
{
        move((uintptr_t)file, "where the stream is read", site, __ATOMIC_ACQ_REL);
}

void input_descriptor(int fd, uintptr_t site)
{
        move((uintptr_t)fd, "where the file is read", site, __ATOMIC_RELAXED);
}

static void progress(void)
{
        if (rt_on())
                spin_progress(rt_cur);
}

#define READER(type, name, params, args)   \
        RT_EXPORT type name params         \
        {                                  \
                progress();                \
                return RT_REAL(name) args; \
        }

READER(ssize_t, pread, (int fd, void *p, size_t n, off_t at), (fd, p, n, at))
READER(struct dirent *, readdir, (DIR * d), (d))
