/* `heddle replay --record`: a recording of an execution under heddle. */
#ifndef HEDDLE_CLI_RECORD_OWN_H
#define HEDDLE_CLI_RECORD_OWN_H

#include "cli/command.h"
#include "verdict/result.h"
#include "wire/recording.h"

struct own {
        struct rec_memory *memory; /* NULL: nothing is recorded */
        int fd;
};

/* Before the program starts.  0, or an exit status. */
int own_begin(struct own *o, const struct command *c);
/* How far the threads of an execution along recorded paths were on them, at each of its events.  NULL: not known. */
uint32_t *own_bits(const struct own *o, const struct trace *t);
/* Frees the memory. */
void own_close(struct own *o);

/* It has run: writes the recording if it failed, and frees the memory.  0, or an exit status. */
int own_end(struct own *o, const char *file, const struct command *c, const struct result *r);

#endif
