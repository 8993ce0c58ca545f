/* See unsettled.h. */
#include "rt/memory/unsettled.h"

#include "rt/memory/bytes.h"
#include "rt/memory/heap.h"

struct torn torn;
bool torn_open;
void (*torn_settle)(struct thread *t);
void (*torn_made)(struct thread *t);

void torn_drop(void)
{
        if (torn_open && !torn.write && memory_is_there(torn.addr))
                bytes_copy((void *)torn.addr, torn.bytes, torn.size);
        torn_open = false;
}
