/* What compare.c compares with what, and for which part of the programs. */
#ifndef ORACLE_ROWS_H
#define ORACLE_ROWS_H

#include <stddef.h>

#include "verdict.h"

#define PLAIN(strategy, preempt, isolate, bound) {strategy, preempt, isolate, bound, {NULL}, ALONE}
#define ALL(strategy)                            PLAIN(strategy, "all", "auto", NULL)
#define SYNC(strategy)                           PLAIN(strategy, "sync", "auto", NULL)
#define BOUND(strategy, bound)                   PLAIN(strategy, "all", "auto", bound)
/* Threads that are not preempted here or there. */
#define SEALED(strategy, rule)                   {strategy, "all", "auto", NULL, {rule}, ALONE}
#define FILTERS(preempt, ...)                    {"filters", preempt, "auto", NULL, {__VA_ARGS__}, ALONE}
#define STORED_FILTERS(...)                      {"filters", "all", "auto", NULL, {__VA_ARGS__}, STORED}
#define LIMITED(strategy, option, limit)         {strategy, "all", "auto", NULL, {option, limit}, ALONE}
#define FAILING(strategy)                        {strategy, "all", "auto", NULL, {"--fail-malloc=1"}, ALONE}
#define HOW(strategy, preempt, how)              {strategy, preempt, "auto", NULL, {NULL}, how}
/* Counts combinations of values read, which mcr is compared with in the row after. */
#define VALUES(...)                              {"dfs", "all", "auto", NULL, {"--mcr=checked", ##__VA_ARGS__}, ALONE}
/* Weak memory. */
#define WEAK(strategy, memory)                   {strategy, "all", "auto", NULL, {"--memory", memory}, ALONE}
#define WEAK_SYNC(strategy, memory)              {strategy, "sync", "auto", NULL, {"--memory", memory}, ALONE}
#define WEAK_HOW(strategy, memory, preempt, how) {strategy, preempt, "auto", NULL, {"--memory", memory}, how}
#define WEAK_BOUND(strategy, memory, bound)      {strategy, "all", "auto", bound, {"--memory", memory}, ALONE}
#define WEAK_SEALED(strategy, memory, rule)      {strategy, "all", "auto", NULL, {rule, "--memory", memory}, ALONE}
/* Executions continue from waypoints. */
#define CONTINUED(strategy, preempt, ...)        {strategy, preempt, "auto", NULL, {"--share-prefix=4", ##__VA_ARGS__}, ALONE}
#define CHANCE(strategy)                         {strategy, "all", "auto", NULL, {"--executions", "30", "--seed", "7"}, DRAWN}

/* What is compared: the second mode with the first. */
static const struct row {
        struct mode modes[2];
        int every; /* every so many programs */
} rows[] = {
        {{VALUES(), ALL("dpor")}, 1},
        {{ALL("dpor"), ALL("mcr")}, 1},
        {{ALL("mcr"), {"mcr", "all", "auto", NULL, {"--mcr=checked"}, ALONE}}, 11},
        {{ALL("mcr"), HOW("mcr", "all", STORED)}, 17},
        {{ALL("mcr"), HOW("mcr", "all", SHARED)}, 35},
        {{ALL("dpor"), ALL("auto")}, 9},
        {{ALL("dpor"), HOW("auto", "all", SHARED)}, 58},
        {{ALL("dpor"), HOW("auto", "all", STORED)}, 62},
        {{SYNC("dpor"), SYNC("auto")}, 30},
        {{WEAK("dpor", "tso"), WEAK("auto", "tso")}, 32},
        {{VALUES(), {"deepen", "races", "auto", NULL, {"--maximal"}, ALONE}}, 20},
        {{VALUES(), HOW("deepen", "races", ALONE)}, 32},
        {{VALUES(), HOW("deepen", "races", SHARED)}, 48},
        {{VALUES(), HOW("deepen", "races", STORED)}, 56},
        {{VALUES(), HOW("deepen", "races", STORED_SHARED)}, 32},
        {{VALUES(), ALL("icb")}, 28},
        {{VALUES(), HOW("dfs", "all", SHARED)}, 44},
        {{VALUES(), HOW("dfs", "all", STORED)}, 52},
        {{VALUES(), CHANCE("random")}, 34},
        {{VALUES(), CHANCE("pct")}, 38},
        {{VALUES(), CHANCE("pos")}, 46},
        {{VALUES(), FILTERS("all", "--order", "breadth-first")}, 46},
        {{VALUES(), FILTERS("all", "--exact", "--order", "random")}, 38},
        {{FILTERS("all", "--exact", "--order", "random"), STORED_FILTERS("--exact", "--order", "random")}, 38},
        {{VALUES(), FILTERS("all", "--filters", "super-step", "--order", "switch-first")}, 34},
        {{VALUES(), FILTERS("all", "--filters", "super-step,seen", "--order", "fewest-preemptions")}, 52},
        {{FILTERS("all", "--filters", "super-step,seen"), STORED_FILTERS("--filters", "super-step,seen")}, 52},
        {{ALL("dpor"), FILTERS("all", "--filters=dpor", "--order=random")}, 10},
        {{ALL("dpor"), FILTERS("all", "--filters=dpor", "--order=breadth-first")}, 16},
        {{ALL("dpor"), FILTERS("all", "--filters=dpor,depth", "--order=switch-first")}, 20},
        {{ALL("dpor"), FILTERS("all", "--filters=seen,dpor")}, 20},
        {{ALL("dpor"), FILTERS("all", "--filters=local-cycle,dpor", "--order=fewest-preemptions")}, 20},
        {{ALL("dpor"), STORED_FILTERS("--filters=dpor", "--order=random")}, 16},
        {{ALL("dpor"), HOW("dpor", "all", SHARED)}, 20},
        {{ALL("dpor"), HOW("dpor", "all", STORED)}, 36},
        {{ALL("dpor"), ALL("optimal")}, 1},
        {{HOW("optimal", "races", ALONE), HOW("deepen", "races", ALONE)}, 40},
        {{ALL("optimal"), CONTINUED("optimal", "all")}, 14},
        {{ALL("dpor"), CONTINUED("dpor", "all")}, 46},
        {{WEAK("optimal", "tso"), CONTINUED("optimal", "all", "--memory", "tso")}, 48},
        {{ALL("optimal"), HOW("optimal", "all", SHARED)}, 16},
        {{ALL("optimal"), HOW("optimal", "all", STORED)}, 24},
        {{ALL("optimal"), HOW("optimal", "all", STORED_SHARED)}, 36},
        {{ALL("optimal"), FILTERS("all", "--filters", "seen,super-step")}, 4},
        {{BOUND("dfs", "0"), BOUND("optimal", "0")}, 20},
        {{BOUND("dfs", "1"), BOUND("dpor", "1")}, 20},
        {{BOUND("dfs", "2"), BOUND("icb", "2")}, 28},
        {{ALL("icb"), HOW("icb", "all", STORED)}, 52},
        {{LIMITED("dfs", "--depth", "16"), LIMITED("dpor", "--depth", "16")}, 44},
        {{LIMITED("dfs", "--depth", "16"), LIMITED("optimal", "--depth", "16")}, 44},
        {{LIMITED("dfs", "--depth", "16"), LIMITED("icb", "--depth", "16")}, 66},
        {{LIMITED("dfs", "--depth", "16"), LIMITED("mcr", "--depth", "16")}, 66},
        {{LIMITED("dfs", "--thread-depth", "2"), LIMITED("dpor", "--thread-depth", "2")}, 44},
        {{LIMITED("dfs", "--thread-depth", "2"), LIMITED("optimal", "--thread-depth", "2")}, 44},
        {{LIMITED("dfs", "--thread-depth", "2"), LIMITED("icb", "--thread-depth", "2")}, 66},
        {{PLAIN("dfs", "sync", "auto", "1"), PLAIN("optimal", "sync", "auto", "1")}, 44},
        {{SYNC("dfs"), FILTERS("sync", "--exact", "--filters", "seen,super-step")}, 58},
        {{SYNC("dfs"), SYNC("dpor")}, 32},
        {{SYNC("dpor"), FILTERS("sync", "--filters=dpor", "--order=breadth-first")}, 20},
        {{SYNC("dpor"), SYNC("mcr")}, 19},
        {{SYNC("dpor"), SYNC("optimal")}, 16},
        {{SYNC("optimal"), HOW("optimal", "sync", SHARED)}, 40},
        {{SYNC("optimal"), HOW("optimal", "sync", STORED)}, 40},
        {{PLAIN("dpor", "all", "snapshot", NULL), PLAIN("dpor", "all", "fork", NULL)}, 50},
        {{SEALED("dfs", "--without=p*_t1"), SEALED("dpor", "--without=p*_t1")}, 28},
        {{SEALED("dpor", "--without=p*_t1"), FILTERS("all", "--without=p*_t1", "--filters=dpor", "--order=random")}, 28},
        {{SEALED("dpor", "--without=p*_t1"), SEALED("optimal", "--without=p*_t1")}, 28},
        {{SEALED("dfs", "--within=p*_t2"), SEALED("optimal", "--within=p*_t2")}, 44},
        {{VALUES("--memory", "tso"), WEAK("dpor", "tso")}, 14},
        {{WEAK("dpor", "tso"), WEAK("mcr", "tso")}, 7},
        {{WEAK("dpor", "tso"), FILTERS("all", "--memory", "tso", "--filters=dpor", "--order=random")}, 20},
        {{WEAK("dfs", "tso"), WEAK_HOW("optimal", "tso", "races", ALONE)}, 40},
        {{WEAK("dpor", "tso"), WEAK("optimal", "tso")}, 40},
        {{WEAK("optimal", "tso"), WEAK_HOW("optimal", "tso", "all", SHARED)}, 40},
        {{WEAK("optimal", "tso"), WEAK_HOW("optimal", "tso", "all", STORED)}, 60},
        {{WEAK("optimal", "tso"), WEAK_HOW("optimal", "tso", "all", STORED_SHARED)}, 50},
        {{VALUES("--memory", "pso"), WEAK("dpor", "pso")}, 16},
        {{WEAK("dpor", "pso"), WEAK("mcr", "pso")}, 8},
        {{WEAK("dpor", "pso"), FILTERS("all", "--memory", "pso", "--filters=dpor", "--order=breadth-first")}, 22},
        {{WEAK("dpor", "pso"), STORED_FILTERS("--memory", "pso", "--filters=dpor", "--order=fewest-preemptions")}, 44},
        {{WEAK("dpor", "pso"), WEAK("optimal", "pso")}, 44},
        {{WEAK("optimal", "pso"), WEAK_HOW("optimal", "pso", "all", SHARED)}, 44},
        {{WEAK("optimal", "pso"), WEAK_HOW("optimal", "pso", "all", STORED)}, 44},
        {{WEAK_BOUND("dfs", "tso", "1"), WEAK_BOUND("icb", "tso", "1")}, 42},
        {{WEAK_SYNC("dfs", "tso"), WEAK_SYNC("dpor", "tso")}, 33},
        {{WEAK_SYNC("dpor", "tso"), FILTERS("sync", "--memory", "tso", "--filters=dpor", "--order=switch-first")}, 33},
        {{WEAK("optimal", "tso"), FILTERS("all", "--memory", "tso", "--exact")}, 40},
        {{WEAK("optimal", "pso"), FILTERS("all", "--memory", "pso", "--filters=seen,super-step")}, 50},
        {{WEAK_SYNC("optimal", "tso"), FILTERS("sync", "--memory", "tso", "--filters=seen,super-step")}, 50},
        {{FILTERS("all", "--memory", "pso"), STORED_FILTERS("--memory", "pso")}, 33},
        {{WEAK("optimal", "pso"), {"deepen", "races", "auto", NULL, {"--maximal", "--memory", "pso"}, ALONE}}, 40},
        {{WEAK_SYNC("dpor", "tso"), WEAK_SYNC("optimal", "tso")}, 22},
        {{WEAK_SYNC("dfs", "pso"), WEAK_SYNC("dpor", "pso")}, 39},
        {{WEAK_SYNC("dpor", "pso"), WEAK_SYNC("optimal", "pso")}, 26},
        {{WEAK_SEALED("dfs", "tso", "--without=p*_t1"), WEAK_SEALED("dpor", "tso", "--without=p*_t1")}, 48},
        {{WEAK_SEALED("dpor", "tso", "--without=p*_t1"), WEAK_SEALED("optimal", "tso", "--without=p*_t1")}, 48},
};

/* The same for programs about atomic sections with choices in them: each must be one transition for every reduction. */
static const struct row section_rows[] = {
        {{VALUES(), ALL("dpor")}, 1},
        {{ALL("dpor"), ALL("mcr")}, 2},
        {{ALL("dpor"), ALL("auto")}, 9},
        {{ALL("dpor"), ALL("optimal")}, 1},
        {{ALL("dpor"), FILTERS("all", "--filters=dpor", "--order=random")}, 6},
        {{ALL("dpor"), STORED_FILTERS("--filters=dpor", "--order=breadth-first")}, 11},
        {{ALL("dpor"), HOW("dpor", "all", SHARED)}, 9},
        {{ALL("dpor"), HOW("dpor", "all", STORED)}, 13},
        {{ALL("optimal"), CONTINUED("optimal", "all")}, 9},
        {{ALL("optimal"), HOW("optimal", "all", SHARED)}, 7},
        {{ALL("optimal"), HOW("optimal", "all", STORED)}, 9},
        {{ALL("optimal"), HOW("optimal", "all", STORED_SHARED)}, 12},
        {{VALUES(), HOW("deepen", "races", ALONE)}, 16},
        {{VALUES(), HOW("dfs", "all", SHARED)}, 19},
        {{VALUES(), ALL("icb")}, 17},
        {{ALL("optimal"), FILTERS("all", "--filters=seen,super-step")}, 17},
        {{FAILING("dfs"), FAILING("dpor")}, 4},
        {{FAILING("dpor"), FAILING("optimal")}, 4},
        {{FAILING("optimal"), {"optimal", "all", "auto", NULL, {"--fail-malloc=1"}, SHARED}}, 16},
        {{SYNC("dfs"), SYNC("dpor")}, 5},
        {{SYNC("dpor"), SYNC("mcr")}, 7},
        {{SYNC("dpor"), SYNC("optimal")}, 5},
        {{SYNC("optimal"), HOW("optimal", "sync", SHARED)}, 15},
        {{LIMITED("dfs", "--depth", "12"), LIMITED("optimal", "--depth", "12")}, 14},
        {{LIMITED("dfs", "--depth", "12"), LIMITED("mcr", "--depth", "12")}, 28},
        {{WEAK("dfs", "tso"), WEAK("dpor", "tso")}, 12},
        {{WEAK("dpor", "tso"), WEAK("optimal", "tso")}, 12},
};

/* ... and for programs whose transitions are blocks. */
static const struct row block_rows[] = {
        {{ALL("dpor"), ALL("optimal")}, 1},
        {{ALL("dpor"), HOW("optimal", "races", ALONE)}, 2},
        {{ALL("dpor"), HOW("deepen", "races", ALONE)}, 9},
        {{VALUES(), ALL("dpor")}, 4},
        {{SYNC("dfs"), SYNC("dpor")}, 8},
        {{SYNC("dpor"), SYNC("mcr")}, 4},
        {{SYNC("dpor"), SYNC("auto")}, 9},
        {{SYNC("dpor"), SYNC("optimal")}, 1},
        {{SYNC("optimal"), CONTINUED("optimal", "sync")}, 9},
        {{SYNC("optimal"), HOW("optimal", "sync", SHARED)}, 9},
        {{SYNC("optimal"), HOW("optimal", "sync", STORED)}, 13},
        {{SYNC("dpor"), FILTERS("sync", "--filters=dpor", "--order=random")}, 7},
        {{SEALED("dpor", "--without=p*_t1"), SEALED("mcr", "--without=p*_t1")}, 5},
        {{SEALED("dpor", "--without=p*_t1"), SEALED("optimal", "--without=p*_t1")}, 5},
        {{SEALED("dpor", "--within=p*_t2"), SEALED("optimal", "--within=p*_t2")}, 7},
        {{WEAK_SYNC("dpor", "tso"), WEAK_SYNC("mcr", "tso")}, 11},
        {{WEAK_SYNC("dpor", "tso"), WEAK_SYNC("optimal", "tso")}, 11},
};

#define MAX_ROWS         96
#define TABLE(mix, rows) {mix, rows, (int)(sizeof(rows) / sizeof(rows[0]))}

static const struct table {
        const char *mix;
        const struct row *rows;
        int n;
} tables[] = {TABLE("sections", section_rows), TABLE("blocks", block_rows), TABLE(NULL, rows)};

#endif
