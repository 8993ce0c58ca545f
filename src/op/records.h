/* The records of user.h: byte strings, written once, named by a number. */
#ifndef HEDDLE_OP_RECORDS_H
#define HEDDLE_OP_RECORDS_H

#include <stdint.h>

/* The number of these bytes (a multiple of 8), which are added if they are new; 0: no room. */
uint64_t records_add(const void *bytes, uint32_t size);
/* The bytes of a record, NULL if the number is none. */
const void *records_get(uint64_t id, uint32_t *size);

#endif
