/* The addresses that the runtime keeps for itself.  The arenas of the heap and the stacks of threads are in the same region.
 * A snapshot excludes the region. */
#ifndef HEDDLE_RT_LAYOUT_H
#define HEDDLE_RT_LAYOUT_H

#include <stdint.h>

#define RT_REGION_LO UINT64_C(0x100000000000)
#define RT_REGION_HI UINT64_C(0x500000000000)
/* Shadow words of what is below the region, and of the heap; those of the rest are inside (memory/shadow.c). */
#define RT_SHADOW_LO UINT64_C(0x600000000000)
#define RT_SHADOW_HI UINT64_C(0x780000000000)
#define RT_OWN       UINT64_C(0x300000000000)
#define RT_WIRE_DOWN UINT64_C(0x400000000000)
#define RT_WIRE_UP   UINT64_C(0x410000000000)

#endif
