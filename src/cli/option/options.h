/*
 * The options of the commands, from the table options.def.
 */
#ifndef HEDDLE_CLI_OPTION_OPTIONS_H
#define HEDDLE_CLI_OPTION_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "cli/list.h"
#include "config/config.h"

enum options_command {
        OPTIONS_CHECK = 1,
        OPTIONS_REPLAY = 2,
        OPTIONS_REPORT = 4,
        OPTIONS_GDB = 8,
        OPTIONS_EXPLAIN = 16
};

/* How the value of an option is read. */
enum options_kind {
        OPTIONS_SWITCH,
        OPTIONS_WORD,
        OPTIONS_NUMBER32,
        OPTIONS_POWER, /* likewise, a power of two */
        OPTIONS_NUMBER64,
        OPTIONS_TIME,
        OPTIONS_TIME_OR_NEVER, /* "never" is -1 */
        OPTIONS_RANGE,         /* "A..B" */
        OPTIONS_TEXT,
        OPTIONS_LIST,
        OPTIONS_EACH,
        OPTIONS_KINDS,  /* kinds of failures: a set of enum finding_kind */
        OPTIONS_WAKEUP, /* a word for each time it is given */
        OPTIONS_CODES,  /* --abort-codes: struct wire_txn_codes */
        OPTIONS_MARK,   /* likewise, with the name of the option: several options share a list (marks.h) */
        OPTIONS_LATER,  /* not in this version */
};

/* One row of options.def, which says what the fields mean. */
struct options_row {
        unsigned commands; /* enum options_command, or-ed */
        const char *name, *argument;
        enum options_kind kind;
        size_t offset;
        const char *words, *later, *help;
};

/* Where it was given; the higher one wins. */
enum options_source { OPTIONS_DEFAULT, OPTIONS_FILE, OPTIONS_TRACE, OPTIONS_LINE };

#define OPTIONS_MAX 96

struct options {
        struct config config;        /* complete once the program is known as well (command.h) */
        const char *compiler;        /* --compiler, NULL: not given */
        const char *shard;           /* --shard, NULL: not given */
        const char *spool, *cluster; /* likewise */
        struct list known;           /* --known */
        bool steps, text, help;
        const char *record;    /* replay: the recording to write, NULL: none */
        const char *recording; /* the one that the program runs along, NULL: none */
        uint32_t stray;        /* of 100 of its branches so many may go another way */
        uint32_t only;         /* --only: a set of kinds */
        bool none;             /* what options of later versions set: never anything */
        struct list observe, invariants, finals, ops, filters, marks;
        bool batch, mi; /* of `gdb` */
        struct list gdb_commands;
        uint64_t execution;
        unsigned char given[OPTIONS_MAX]; /* enum options_source, by row of the table */
        const char *values[OPTIONS_MAX];  /* the last value given, by row of the table */
};

void options_init(struct options *o);

/* Reads the option at argv[*i] and its value, and moves *i behind them.  1: done; 0: this is not an option of ours
 * (it does not begin with "--"); -1: `why` says what is wrong. */
int options_take(struct options *o, enum options_command command, enum options_source source, char **argv, int *i,
                 struct error *why);

/* Words behind the program are its own, also those that are options of ours: a line on standard error for each. */
void options_note_late(enum options_command command, char **argv);

/* Was the option given, on the command line or in a file? */
bool options_given(const struct options *o, const char *name);

/* The same number for options that explore the same: limits and outputs do not count. */
uint64_t options_hash(const struct options *o);

/* Adds all options that decide what is explored, as they were given: for other processes that explore the same. */
void options_part(const struct options *o, struct list *l);

/* Adds the option to the list as it was given, if it was: what a replay needs again. */
void options_repeat(const struct options *o, const char *name, struct list *l);

/* The word of an option of words as it is now: "dpor". */
const char *options_word(const char *name, unsigned value, char out[32]);

/* The table. */
const struct options_row *options_rows(size_t *n);

#endif
