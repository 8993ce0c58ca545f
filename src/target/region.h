/* Memory that explorer and target share: files of fixed size, most of which is holes. */
#ifndef HEDDLE_TARGET_REGION_H
#define HEDDLE_TARGET_REGION_H

#include <stddef.h>

/* A region of fixed size: the seals keep a stray ftruncate in the target from turning our reads into SIGBUS.  Its descriptor, or below 0
 * with errno. */
int region_create(const char *name, size_t size);

/* Copies the first n bytes of a region with this descriptor to one that is empty, without its holes: what is read or written costs
 * memory.  Where the descriptor does not say where they are, all is copied. */
void region_copy(void *to, const void *from, size_t n, int fd);

#endif
