/*
 * Options, read by the table.  An option of a command line wins over the same one in a file; of several in the same
 * place the last wins.  Values that are wrong are refused with one line that says what would be right.
 */
#include "cli/option/options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "base/distance.h"
#include "cli/option/abort_codes.h"
#include "cli/option/value.h"
#include "cli/status.h"
#include "cli/option/wakeup_policy.h"
#include "strategy/registry.h"
#include "trace/finding.h"

/* What replay knows, explain does too; RUN: all that run a schedule. */
enum {
        CHECK = OPTIONS_CHECK,
        REPLAY = OPTIONS_REPLAY | OPTIONS_EXPLAIN,
        REPORT = OPTIONS_REPORT,
        GDB = OPTIONS_GDB,
        EXPLAIN = OPTIONS_EXPLAIN,
        RUN = REPLAY | GDB
};

#define FAILURE_KINDS                                                                                                 \
        "deadlock assertion crash abort exit-status use-after-free double-free invalid-free out-of-bounds leak race " \
        "livelock infinite-loop lock-misuse invariant transaction nondeterminism"

static const struct options_row rows[] = {
#define OPTION(commands, name, argument, kind, field, words, later, help) \
        {commands, name, argument, OPTIONS_##kind, offsetof(struct options, field), words, later, help},
#include "cli/option/options.def"
#undef OPTION
};

#define N_ROWS (sizeof rows / sizeof *rows)
_Static_assert(N_ROWS <= OPTIONS_MAX, "options: `given` is too small");
_Static_assert(sizeof(enum config_order) == sizeof(uint32_t), "options: words are stored as 32 bits");

void options_init(struct options *o)
{
        memset(o, 0, sizeof *o);
        o->config.loop_seconds = 5;
        o->config.fair_after = 2000;
        o->config.heap_mb = 1024;
        o->config.signals = 4;
        o->config.pct_depth = 3;
        o->config.save_seconds = 30;
        o->config.cache = 100000000;
        o->config.share_from = 1000; /* where going back to a waypoint costs less than running on from the snapshot */
        o->config.alone_seconds = 0.01;
        o->config.plan = 60;
        o->config.txn.lines = 512;
        o->config.txn.line_size = 64;
        o->config.lease_seconds = 10;
}

static int store_word(const struct options_row *row, void *field, const char *value, struct error *why)
{
        char all[VALUE_WORDS], near[64];
        int at = value_word(row->words, value);

        if (at >= 0) {
                uint32_t n = (uint32_t)at;
                memcpy(field, &n, sizeof n);
                return 0;
        }
        value_spell(all, row->words);
        value_nearest(near, row->words, value);
        if (value_word(row->later, value) >= 0)
                error_set(why, -1, "--%s %s is not available in this version; use %s", row->name, value, all);
        else if (near[0])
                error_set(why, -1, "--%s: unknown value '%.64s' (did you mean '%s'?); use %s", row->name, value, near,
                          all);
        else
                error_set(why, -1, "--%s: unknown value '%.64s'; use %s", row->name, value, all);
        return -1;
}

static int store_list(struct list *l, const char *value, bool first)
{
        if (first)
                l->n = 0;
        while (*value) {
                size_t n = strcspn(value, ",");
                if (n > 0)
                        list_addf(l, "%.*s", (int)n, value);
                value += n + (value[n] == ',');
        }
        return l->n > 0 ? 0 : -1;
}

/* Adds the bits of the kinds that are listed.  A kind that this version never reports has none. */
static int store_kinds(const struct options_row *row, uint32_t *set, const char *value, bool first, struct error *why)
{
        struct list words = {0};
        int err = store_list(&words, value, true);
        uint32_t kinds = first ? 0 : *set, unused;

        if (err < 0)
                error_set(why, -1, "--%s: the value is empty", row->name);
        for (size_t i = 0; i < words.n && !err; i++) {
                err = store_word(row, &unused, words.words[i], why);
                enum finding_kind kind = finding_kind_named(words.words[i]);
                if (kind < FINDING_KINDS)
                        kinds |= 1u << kind;
        }
        if (!err)
                *set = kinds;
        return err;
}

static int store_number(const struct options_row *row, void *field, const char *value, struct error *why)
{
        char *end;
        uint64_t n, low = strtoull(row->words, &end, 10), high = strtoull(end, NULL, 10);

        if (value_number(&n, value, low, high, why) < 0)
                return -1;
        if (row->kind == OPTIONS_POWER && (n & (n - 1))) {
                error_set(why, -1, "%.64s is not a power of two; give one such as %" PRIu64, value, low);
                return -1;
        }
        if (row->kind == OPTIONS_NUMBER64)
                *(uint64_t *)field = n;
        else
                *(uint32_t *)field = (uint32_t)n;
        return 0;
}

static int store(struct options *o, const struct options_row *row, const char *value, bool first, struct error *why)
{
        void *field = (char *)o + row->offset;
        struct error reason = {""};
        int err = 0;

        switch (row->kind) {
        case OPTIONS_SWITCH: *(bool *)field = true; break;
        case OPTIONS_WORD: return store_word(row, field, value, why);
        case OPTIONS_KINDS: return store_kinds(row, field, value, first, why);
        case OPTIONS_NUMBER32:
        case OPTIONS_POWER:
        case OPTIONS_NUMBER64: err = store_number(row, field, value, &reason); break;
        case OPTIONS_RANGE: err = value_range(field, value, &reason); break;
        case OPTIONS_TIME: err = value_time(field, value, &reason); break;
        case OPTIONS_TIME_OR_NEVER:
                if (strcmp(value, "never") == 0)
                        *(double *)field = -1;
                else
                        err = value_time(field, value, &reason);
                break;
        case OPTIONS_TEXT:
                *(const char **)field = value;
                err = *value ? 0 : -1;
                break;
        case OPTIONS_WAKEUP: err = *value ? wakeup_parse(field, value, &reason) : -1; break;
        case OPTIONS_CODES: err = *value ? codes_parse(field, value, &reason) : -1; break;
        case OPTIONS_LIST: err = store_list(field, value, first); break;
        case OPTIONS_EACH:
                list_add(field, value);
                err = *value ? 0 : -1;
                break;
        case OPTIONS_MARK:
                list_addf(field, "%s=%s", row->name, value);
                err = *value ? 0 : -1;
                break;
        case OPTIONS_LATER:
                error_set(why, -1, "--%s is not available in this version; %s", row->name, row->later);
                return -1;
        }
        if (err < 0)
                error_set(why, -1, "--%s: %s", row->name, reason.text[0] ? reason.text : "the value is empty");
        return err;
}

static const struct options_row *find(enum options_command command, const char *name, size_t n)
{
        for (size_t i = 0; i < N_ROWS; i++)
                if ((rows[i].commands & command) && strlen(rows[i].name) == n && memcmp(rows[i].name, name, n) == 0)
                        return &rows[i];
        return NULL;
}

static bool knows(enum options_command command, const char *word)
{
        return strncmp(word, "--", 2) == 0 && word[2] && find(command, word + 2, strcspn(word + 2, "="));
}

void options_note_late(enum options_command command, char **argv)
{
        for (int i = 1; argv[i]; i++)
                if (knows(command, argv[i]))
                        status_note(
                                "note: '%s' comes after %s and goes to the program; write heddle's options before it",
                                argv[i], argv[0]);
}

static void unknown(enum options_command command, const char *name, size_t n, struct error *why)
{
        static const char *const commands[] = {[OPTIONS_CHECK] = "check",
                                               [OPTIONS_REPLAY] = "replay",
                                               [OPTIONS_REPORT] = "report",
                                               [OPTIONS_GDB] = "gdb",
                                               [OPTIONS_EXPLAIN] = "explain"};
        char wanted[64], near[64] = "", word[64];
        size_t best = SIZE_MAX;

        snprintf(wanted, sizeof wanted, "%.*s", (int)n, name);
        for (size_t i = 0; i < N_ROWS; i++) {
                if (!(rows[i].commands & command) || rows[i].kind == OPTIONS_LATER)
                        continue;
                value_nearest(word, rows[i].name, wanted);
                if (word[0] && distance_words(word, wanted) < best) {
                        best = distance_words(word, wanted);
                        memcpy(near, word, sizeof near);
                }
        }
        if (near[0])
                error_set(why, -1, "unknown option --%s (did you mean --%s?)", wanted, near);
        else
                error_set(why, -1, "unknown option --%s; 'heddle help %s' lists all options", wanted,
                          commands[command]);
}

int options_take(struct options *o, enum options_command command, enum options_source source, char **argv, int *i,
                 struct error *why)
{
        const char *word = argv[*i];

        if (strncmp(word, "--", 2) != 0 || word[2] == '\0')
                return 0;
        const char *name = word + 2, *value = strchr(name, '=');
        size_t n = strcspn(name, "=");
        /* A file serves all commands: what another one knows is not a mistake there. */
        enum options_command known = source == OPTIONS_FILE ? CHECK | RUN | REPORT : (int)command;
        const struct options_row *row = find(known, name, n);

        /* A trace says how to run the program again, and nothing about where reports go. */
        if (!row || (source == OPTIONS_TRACE && (row->commands & RUN) != RUN)) {
                unknown(command, name, n, why);
                return -1;
        }
        if (value && !row->argument) {
                error_set(why, -1, "--%s takes no value; leave '%.64s' out", row->name, value);
                return -1;
        }
        if (value) {
                value++;
        } else if (row->argument && row->kind != OPTIONS_LATER) {
                value = argv[*i + 1];
                if (!value) {
                        error_set(why, -1, "--%s needs a value: --%s %s", row->name, row->name, row->argument);
                        return -1;
                }
                ++*i;
        }
        ++*i;
        unsigned char *given = &o->given[row - rows];
        if (source < *given || !(row->commands & command))
                return 1;
        if (store(o, row, value, *given < source, why) < 0)
                return -1;
        *given = source;
        o->values[row - rows] = value;
        return 1;
}

bool options_given(const struct options *o, const char *name)
{
        for (size_t i = 0; i < N_ROWS; i++)
                if (strcmp(rows[i].name, name) == 0)
                        return o->given[i] != OPTIONS_DEFAULT;
        return false;
}

/* Options that decide when an exploration stops and what is written about it, not what is explored. */
static const char no_part[] =
        "executions time minimize jobs alone shard known spool cluster lease save save-every resume json html sarif "
        "junit trace quiet verbose "
        "progress color compiler help share-prefix";

uint64_t options_hash(const struct options *o)
{
        uint64_t h = 0;

        for (size_t i = 0; i < N_ROWS; i++) {
                const struct options_row *row = &rows[i];
                const char *field = (const char *)o + row->offset;
                const struct list *list = (const struct list *)field;

                if (!(row->commands & OPTIONS_CHECK) || value_word(no_part, row->name) >= 0)
                        continue;
                h = stream_hash(h, row->name, strlen(row->name));
                switch (row->kind) {
                case OPTIONS_SWITCH: h = stream_hash(h, field, sizeof(bool)); break;
                case OPTIONS_WORD:
                case OPTIONS_KINDS:
                case OPTIONS_POWER:
                case OPTIONS_NUMBER32: h = stream_hash(h, field, sizeof(uint32_t)); break;
                case OPTIONS_RANGE: h = stream_hash(h, field, sizeof(struct wire_values)); break;
                case OPTIONS_NUMBER64:
                case OPTIONS_TIME:
                case OPTIONS_TIME_OR_NEVER: h = stream_hash(h, field, sizeof(uint64_t)); break;
                case OPTIONS_TEXT:
                        field = *(const char *const *)field;
                        h = stream_hash(h, field ? field : "", field ? strlen(field) : 0);
                        break;
                case OPTIONS_LIST:
                case OPTIONS_EACH:
                case OPTIONS_MARK:
                        for (size_t k = 0; k < list->n; k++)
                                h = stream_hash(h, list->words[k], strlen(list->words[k]) + 1);
                        break;
                case OPTIONS_CODES: h = stream_hash(h, field, sizeof o->config.txn.codes); break;
                case OPTIONS_WAKEUP: h = stream_hash(h, field, sizeof o->config.wakeup); break;
                case OPTIONS_LATER: break;
                }
        }
        return h;
}

void options_part(const struct options *o, struct list *l)
{
        for (size_t i = 0; i < N_ROWS; i++) {
                const struct options_row *row = &rows[i];
                const struct list *list = (const struct list *)((const char *)o + row->offset);
                bool mark = row->kind == OPTIONS_MARK;

                if (!(row->commands & OPTIONS_CHECK) || value_word(no_part, row->name) >= 0 ||
                    o->given[i] == OPTIONS_DEFAULT)
                        continue;
                if (row->kind == OPTIONS_SWITCH)
                        list_addf(l, "--%s", row->name);
                else if (row->kind != OPTIONS_LIST && row->kind != OPTIONS_EACH && !mark)
                        list_addf(l, "--%s=%s", row->name, o->values[i]);
                else if (!mark)
                        for (size_t k = 0; k < list->n; k++)
                                list_addf(l, "--%s=%s", row->name, list->words[k]);
        }
        for (size_t k = 0; k < o->marks.n; k++)
                list_addf(l, "--%s", o->marks.words[k]);
}

void options_repeat(const struct options *o, const char *name, struct list *l)
{
        for (size_t i = 0; i < N_ROWS; i++)
                if (strcmp(rows[i].name, name) == 0 && o->given[i] != OPTIONS_DEFAULT)
                        list_addf(l, "--%s=%s", name, o->values[i]);
}

const char *options_word(const char *name, unsigned value, char out[32])
{
        out[0] = '\0';
        for (size_t i = 0; i < N_ROWS; i++) {
                const char *words = rows[i].words;
                if (rows[i].kind != OPTIONS_WORD || strcmp(rows[i].name, name) != 0)
                        continue;
                for (; value > 0; value--)
                        words += strcspn(words, " ") + 1;
                snprintf(out, 32, "%.*s", (int)strcspn(words, " "), words);
        }
        return out;
}

const struct options_row *options_rows(size_t *n)
{
        *n = N_ROWS;
        return rows;
}
