/*
 * For `check`: the places of the source where accesses are irrelevant.  A line for each:
 *     r|w|u LINE COLUMN FILE                           every access of this kind there
 *     R|W|U LINE COLUMN OFFSET LENGTH VARIABLE FILE    those that go to these bytes of a global variable
 */
#ifndef HEDDLE_STATIC_OUT_PLACES_H
#define HEDDLE_STATIC_OUT_PLACES_H

#include <stdio.h>

#include "static/out/graph.h"

void places_print(FILE *f, struct graph *g);

#endif
