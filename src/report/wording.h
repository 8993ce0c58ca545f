/*
 * Small words that all reports share: values, threads, places, the verdict.
 */
#ifndef HEDDLE_REPORT_WORDING_H
#define HEDDLE_REPORT_WORDING_H

#include <stdio.h>
#include <stddef.h>
#include <stdint.h>

#include "verdict/result.h"
#include "binary/symbols.h"

/* The names for a result (t NULL) or one trace: those recorded in its file, else from the modules.  NULL: out of
 * memory.  *own is what the caller destroys afterwards, NULL when it belongs to the trace. */
struct symbols *phrase_symbols(const struct result *r, const struct trace *t, struct symbols **own);

/* The low `size` bytes of a value, without and with sign. */
uint64_t phrase_masked(uint64_t value, uint32_t size);
int64_t phrase_signed(uint64_t value, uint32_t size);

/* A value as a person would write it: small numbers in decimal, a pointer to something known by its name, others in
 * hexadecimal.  Nothing is known of its type. */
const char *phrase_text(char *buf, size_t size_of_buf, struct symbols *s, uint64_t value, uint32_t size);

/* A value of --observe, by its type. */
const char *phrase_observed(char *buf, size_t size_of_buf, struct symbols *s, const struct observed *o, uint64_t value);

/* The name of a thread: its own, "main", or that of its start function; "" when there is none. */
const char *phrase_thread_name(char *buf, size_t size_of_buf, struct symbols *s, const struct trace *t, uint32_t i);

/* The share that is explored, as a range: "3 to 40 %"; "" if nothing can be said. */
void phrase_percent(char *buf, size_t size_of_buf, const struct stats *st);

/* "3 to 40 % explored", with words before it and, if it is not said anyway, of what; "" as above. */
void phrase_share(char *buf, size_t size_of_buf, const struct stats *st, const char *before, const char *of);

/* What an exploration that was stopped has proven, and how much is done: "no failure with up to 2 preemptions; about 41 %
 * of the rest explored".  "" when nothing is known. */
const char *phrase_proven(char *buf, size_t size_of_buf, const struct result *r);

/* A line on the strategy that took the place of the one that was asked for, if one did. */
void phrase_put_instead(FILE *f, const char *asked, const struct result *r);

/* A function's name as people say it: "Pool::run", "main::lambda", without parameters and template arguments. */
const char *phrase_function(char *buf, size_t size_of_buf, const char *name);

/* The place of a site that the user wrote: the innermost frame that has a line. */
struct symbols_frame phrase_place(struct symbols *s, uint64_t site);

/* The first frame of a stack (innermost first) that the user wrote: with a line, and neither heddle's nor of a system
 * header.  false: there is none. */
bool phrase_user_frame(struct symbols *s, const uint64_t *sites, uint32_t n, struct symbols_frame *out);

/* The place of a stack: that frame, else its first site with a line, else its first. */
struct symbols_frame phrase_where(struct symbols *s, const uint64_t *sites, uint32_t n);

/* The place of an entry: the innermost frame of its call stack that the user wrote, else where it is. */
struct symbols_frame phrase_entry(struct symbols *s, const struct trace *t, uint32_t i);

/* What is to be said after the kind of a failure: its message without the kind at its beginning. */
const char *phrase_rest(enum finding_kind kind, const char *message);

/* Failures that do not count, by kind: "ignored: leak in 12 executions"; "" if there were none. */
#define PHRASE_IGNORED 1024u
const char *phrase_ignored(char *buf, size_t size, const struct stats *st);

/* "safe", "failure" or "unknown". */
const char *phrase_verdict(const struct result *r);

/* The verdict in one sentence, of a result without failures; it ends with a colon where a list of reasons follows.
 * races: racelist_count(). */
const char *phrase_headline(char *buf, size_t size_of_buf, const struct result *r, uint32_t races);

/* What else a replay needs to show this failure, with a blank behind it, or nothing. */
const char *phrase_replay_option(const struct finding *fd);

/* From now on memory on stacks is named as where this race was first seen. */
void phrase_focus_race(struct symbols *s, const struct race *r);

/* How far loops that may not end were followed, as lines of a report; empty where nothing limits them. */
#define PHRASE_ROUNDS 320u
const char *phrase_rounds(char *buf, size_t size, const struct stats *st);

#endif
