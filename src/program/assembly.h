/* Inline assembly of the program: the accesses and fences in it become operations. */
#ifndef HEDDLE_PROGRAM_ASSEMBLY_H
#define HEDDLE_PROGRAM_ASSEMBLY_H

#include "program/program.h"

/* Tells the target about those in the instrumented modules, so that it performs them; of what it cannot perform it tells when
 * it is executed.  Where even that cannot be done, they are not covered by the exploration, which is then incomplete; under
 * weak memory the program is refused.  RUN_OK, or why not. */
MUST_CHECK int assembly_find(struct program *p);

/* The same for a module that the program has loaded since; there is room for one in `later`. */
MUST_CHECK int assembly_find_later(struct program *p, const struct wire_module *m);

#endif
