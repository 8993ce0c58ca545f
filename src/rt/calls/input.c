/*
 * Functions that read from outside: what they leave behind (a position in a file) is not memory of the program, but a loop
 * that calls one makes progress.  Those of stdio are in stream.def.
 *
 * The thread that reads first gets what comes first: a call that moves the position of a stream is an update of a cell of ours
 * that stands for it.  Several may have one cell, which costs executions and loses none.  Positions of descriptors are states
 * (effect.h).
 */
#include "rt/calls/input.h"

#include <dirent.h>
#include <unistd.h>

#include "rt/memory/atomic.h"
#include "rt/notes.h"
#include "rt/real.h"
#include "rt/loops/spin.h"
#include "rt/threads.h"
#include "rt/world/modules.h"

#define CELLS 1024u

static uint64_t cells[CELLS] __attribute__((aligned(8)));

/* Streams have locks. */
void input_stream(const void *file, uintptr_t site)
{
        uint64_t *cell = &cells[(uintptr_t)file * UINT64_C(0x9e3779b97f4a7c15) >> 54];
        uintptr_t via = rt_cur->stack.via;

        spin_progress(rt_cur);
        if (!rt_on() || rt_site_in_libc(site))
                return;
        if (rt.flags & WIRE_DETAIL)
                rt_name_object(cell, "where the stream is read");
        rt_cur->stack.via = via ? via : site;
        rt_cur->section.hidden = true;
        atomic_announce(OP_RMW, (uintptr_t)cell, sizeof *cell, __ATOMIC_ACQ_REL);
        rt_cur->section.hidden = false;
        rt_cur->stack.via = via;
}

/* Of a directory, too. */
#define READER(type, name, params, args)                    \
        RT_EXPORT type name params                          \
        {                                                   \
                if (rt_cur)                                 \
                        input_stream(directory, RT_SITE()); \
                return RT_REAL(name) args;                  \
        }

READER(struct dirent *, readdir, (DIR * directory), (directory))
READER(struct dirent64 *, readdir64, (DIR * directory), (directory))
READER(void, rewinddir, (DIR * directory), (directory))
READER(void, seekdir, (DIR * directory, long to), (directory, to))
READER(long, telldir, (DIR * directory), (directory))
