/* What `heddle static` prints. */
#ifndef HEDDLE_STATIC_OUT_PRINT_H
#define HEDDLE_STATIC_OUT_PRINT_H

#include <stdio.h>

#include "static/out/graph.h"

void print_text(FILE *f, struct graph *g);
void print_json(FILE *f, struct graph *g);
void print_dot(FILE *f, struct graph *g);
/* For each access at FILE:LINE or FILE:LINE:COLUMN, the way to what makes it relevant; false: there is none. */
bool print_why(FILE *f, struct graph *g, const char *where);

#endif
