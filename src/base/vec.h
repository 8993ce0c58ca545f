/* A growable array of one type: `struct { T *at; uint32_t n, room; }`. */
#ifndef HEDDLE_BASE_VEC_H
#define HEDDLE_BASE_VEC_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"

#define VEC(T)                    \
        struct {                  \
                T *at;            \
                uint32_t n, room; \
        }

/* Room for `more` further elements; false only with an allocator that returns NULL (base/memory.h). */
#define vec_reserve(v, more)                       \
        ((uint64_t)(v)->n + (more) <= (v)->room || \
         vec_grow_((void **)&(v)->at, &(v)->room, (uint64_t)(v)->n + (more), sizeof *(v)->at))

/* The same; without memory the process ends. */
#define vec_need(v, more) (vec_reserve(v, more) ? (void)0 : memory_out())

/* After vec_reserve() or vec_need(): the next element. */
#define vec_push(v) (&(v)->at[(v)->n++])

#define vec_fini(v)                     \
        do {                            \
                free((v)->at);          \
                (v)->at = NULL;         \
                (v)->n = (v)->room = 0; \
        } while (0)

static inline bool vec_grow_(void **at, uint32_t *room, uint64_t need, size_t size)
{
        uint64_t n = *room ? *room : 64;
        void *p;

        while (n < need)
                n *= 2;
        if (n > UINT32_MAX)
                memory_out();
        p = realloc(*at, n * size);
        if (!p)
                return false;
        *at = p;
        *room = (uint32_t)n;
        return true;
}

#endif
