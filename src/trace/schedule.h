/*
 * The schedule text: a whole execution in a short line that can be pasted.
 *
 *     text     = "h1:" fingerprint [ "." check ] ":" [ memory "," ] [ parents "," ] segment *( "," segment ) [ ",!" ]
 *                [ ":" choice *( "." choice ) ]
 *     memory   = ( "tso" | "pso" ) [ "+posix" ]
 *     parents  = "of" thread *( "." thread )  -- of threads 1, 2 ...; only if they are not created in this order
 *     segment  = thread "x" count | thread "!" | "f" thread "@" hook  -- "!": to the end (of the thread, of the failure)
 *
 * A segment says how many more hook calls a thread makes before the next thread's turn; a hook call is any call of the
 * program into the runtime, private accesses included, so the text does not depend on what is believed to be shared.
 * "f1@12" (weak memory): the store that thread 1 made at its hook call 12 reaches memory, and those in the same buffer
 * before it.
 * ",!": the execution fails, though not by what one thread does (a deadlock, say).
 * `fingerprint` is 6 hexadecimal digits of the program's build, `check` 4 of all the rest.  Choices are the answers to everything else that was
 * asked (which waiter, heddle_choose ...), in order.
 */
#ifndef HEDDLE_TRACE_SCHEDULE_H
#define HEDDLE_TRACE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/trace.h"

/* What an execution belongs to. */
struct schedule_head {
        uint32_t fingerprint; /* of the program's build, 24 bits */
        uint32_t memory;      /* enum wire_memory; sc also where the text does not say */
        bool posix_fences;
        bool fails;   /* the execution was a failure */
        bool checked; /* decoded: the text has check digits that fit: it was not changed */
};

struct schedule_text {
        struct schedule_head head;
        struct wire_segment *segments; /* until is absolute: hook calls of that thread in all, or WIRE_TO_END */
        uint32_t n_segments;
        uint32_t *choices;
        uint32_t n_choices;
        struct wire_name names[WIRE_MAX_THREADS]; /* of threads, main included */
        uint32_t n_names;                         /* 0: the text does not say */
};

/* The text of an execution; `last` is the thread that must run to its end (the failing one), or WIRE_NO_ACTOR.
 * Entries from `n_events` on are omitted.  The caller frees it; NULL when out of memory. */
char *schedule_encode(const struct trace *t, uint32_t n_events, uint32_t last, const struct schedule_head *head);

/* Parses a text.  0, or -1 with a message for the user in `why` (what is wrong and where). */
MUST_CHECK int schedule_decode(struct schedule_text *out, const char *text, struct error *why);
void schedule_fini(struct schedule_text *s);

/* Does it look like a schedule text at all ("h1:")? */
bool schedule_is_text(const char *text);

/* How many switches away from a thread that could have continued, before the failure (one that the trace does not have: all
 * of them): the preemptions of an execution.  `marks` has a place for each entry, or is NULL: true where its thread is
 * preempted after it. */
uint32_t schedule_preemptions(const struct trace *t, uint32_t failure, bool *marks);

#endif
