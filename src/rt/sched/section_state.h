/* What section.c keeps of each thread: the sections that it is in. */
#ifndef HEDDLE_RT_SCHED_SECTION_STATE_H
#define HEDDLE_RT_SCHED_SECTION_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct section_state {
        uint32_t atomic;  /* depth of atomic sections; section.c and marks.c */
        uint32_t ignored; /* depth of sections whose accesses are ignored */
        bool inside;      /* its operations are atomic for the others outside of such a section: locks of libc */
};

#endif
