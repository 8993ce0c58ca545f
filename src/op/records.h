/*
 * Records: byte strings, written once, named by a number.  Equal ones have one number, for the life of an exploration.
 * Those of the trace are in the wire; the explorer makes others of its own when it asks what would have been.
 */
#ifndef HEDDLE_OP_RECORDS_H
#define HEDDLE_OP_RECORDS_H

#include <stdint.h>

/* Where records are kept. */
struct op_records {
        uint64_t *words; /* a header (size, next of the same hash) and the bytes, each */
        uint32_t *n;     /* words in use */
        uint32_t *heads; /* WIRE_STATE_HEADS of them */
        uint32_t room;
};

/* The records of the trace, and where new ones go: the same in the target. */
void records_use(const struct op_records *trace, const struct op_records *own);

/* The number of these bytes (a multiple of 8), which are added if they are new; 0: no room. */
uint64_t records_add(const void *bytes, uint32_t size);
/* The explorer's own record with the bytes of one, which equal ones share; 0: there is none, or no room. */
uint64_t records_own(uint64_t id);
/* The bytes of a record, NULL if the number is none. */
const void *records_get(uint64_t id, uint32_t *size);

#endif
