/*
 * A failing execution as the search for its cause reads it: accesses in the order of the program, which store a read got its
 * value from, where an entry is in the source, which locks its thread held.
 */
#ifndef HEDDLE_REPORT_CAUSE_VIEW_H
#define HEDDLE_REPORT_CAUSE_VIEW_H

#include "binary/symbols.h"
#include "report/cause/places.h"
#include "report/cause/source.h"
#include "trace/finding.h"
#include "trace/store_delays.h"

#define VIEW_NONE UINT32_MAX

struct view {
        const struct finding *f;
        const struct trace *t;
        struct symbols *s;
        const struct delays *d;
        struct sources sources;
        VEC(uint32_t) locks; /* entries that take or release locks; -1 in n_locks until filled */
        bool locks_known;
        struct places places;
};

/* A source location in one call of a function: the frame, and the call sites that lead to it. */
struct view_place {
        struct symbols_frame at; /* line 0: unknown */
        uint64_t callers[WIRE_MAX_STACK + 1];
        uint32_t n_callers;
};

/* Does entry i read memory; does its thread store there (in the order of the program); does it change memory (stores of
 * weak memory: when they leave the buffer)? */
bool view_reads(const struct view *v, uint32_t i);
bool view_stores(const struct view *v, uint32_t i);
bool view_changes(const struct view *v, uint32_t i);

bool view_overlap(const struct view *v, uint32_t i, uint32_t k);

/* The store that decided the value of read r; VIEW_NONE: nothing stored there before. */
uint32_t view_decider(const struct view *v, uint32_t r);

/* The last store of a thread other than `actor` in (from, to) to the memory of entry o; VIEW_NONE. */
uint32_t view_foreign(const struct view *v, uint32_t actor, uint32_t o, uint32_t from, uint32_t to);

/* The value of a store or read as recorded; false: unknown, or too wide. */
bool view_value(const struct view *v, uint32_t i, uint64_t *value);

/* Where the user wrote a stack; and entry i.  false: nowhere. */
bool view_place_of(const struct view *v, const uint64_t *sites, uint32_t n, struct view_place *out);
bool view_place(const struct view *v, uint32_t i, struct view_place *out);
/* The call that leads to a place.  false: there is none. */
bool view_caller(const struct view *v, const struct view_place *p, struct view_place *out);
/* Is entry i done by this line in this call, or by what it calls? */
bool view_within(const struct view *v, uint32_t i, const struct view_place *p);

/* The entries of a thread, but for those that stand for reads at the end: the latest one before entry `before` that is within this
 * place (NULL: anywhere), and the one before entry i; VIEW_NONE. */
uint32_t view_latest(struct view *v, uint32_t actor, uint32_t before, const struct view_place *p);
uint32_t view_previous(struct view *v, uint32_t i);

/* Is entry i the first of its thread with this call stack? */
bool view_is_first(struct view *v, uint32_t i);

/* Text of the line of a place, NULL: unknown. */
const char *view_line(struct view *v, const struct view_place *p, uint32_t line);

/* The lock that the thread of entry i holds there and that `other` holds at entry k, too (k VIEW_NONE: any lock): the entry
 * that took it for i; VIEW_NONE. */
uint32_t view_lock_at(struct view *v, uint32_t i, uint32_t skip);

/* Does the thread `actor` hold the lock `obj` when entry i begins? */
bool view_holds(struct view *v, uint32_t actor, uint64_t obj, uint32_t i);

void view_fini(struct view *v);

#endif
