/* The work of the functions on strings and wide strings (text.h), with units of either size. */
#ifndef HEDDLE_RT_COPY_WORK_H
#define HEDDLE_RT_COPY_WORK_H

#include "rt/copy/text.h"

#pragma GCC visibility push(hidden)

/* Positions and lengths are in units; SIZE_MAX: there is none. */
text_work work_length;  /* of a */
text_work work_find;    /* the first c of a, or if `flag` its end; raw: within max units */
text_work work_last;    /* the last c of a */
text_work work_compare; /* a with b: leaves x->last; flag: upper and lower case are the same */
text_work work_copy;    /* a to dst: the length */
text_work work_pad;     /* ... exactly max units */
text_work work_append;  /* b behind the string a, which is at dst too */
text_work work_until;   /* a to dst up to and including c: the number of units */
text_work work_fill;    /* max units of c to dst */

#pragma GCC visibility pop

#endif
