/* The data races of an exploration as people want to see them. */
#ifndef HEDDLE_REPORT_RACE_LIST_H
#define HEDDLE_REPORT_RACE_LIST_H

#include "report/style.h"
#include "verdict/result.h"
#include "binary/symbols.h"

struct racelist_entry {
        const struct race *race;
        uint32_t line[2];
        const char *file[2];
        enum race_verdict verdict;
        char name[160]; /* of the memory */
};

/* One for each pair of lines and object: the worst race there, the worst verdict first.  `all` has room for r->n_races.  Their
 * number. */
uint32_t racelist_gather(struct symbols *s, const struct result *r, struct racelist_entry *all);

/* How many of them are data races: candidates, and those that cannot be reversed, are not. */
uint32_t racelist_count(struct symbols *s, const struct result *r);

/* A race by its verdict, what the verdict says, and all in one sentence (the caller frees it, NULL: out of memory). */
const char *racelist_name(const struct race *r, enum race_verdict v);
const char *racelist_meaning(const struct race *r, enum race_verdict v);
char *racelist_sentence(struct symbols *s, const struct racelist_entry *e);

/* What a plain access reads or writes, as the source has it, or NULL. */
const char *racelist_expression(struct symbols *s, const struct race_access *a);

void racelist_put(const struct style *style, struct symbols *s, const struct result *r, bool verbose);

#endif
