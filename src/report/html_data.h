/*
 * The data of the HTML page: failures with their traces, and the tables that they share.
 */
#ifndef HEDDLE_REPORT_HTML_DATA_H
#define HEDDLE_REPORT_HTML_DATA_H

#include <stdbool.h>
#include <stdio.h>

#include "base/ptrmap.h"
#include "base/vec.h"
#include "report/report.h"
#include "binary/symbols.h"

/* Texts or numbers that occur often, each once; named by position. */
struct scene_table {
        struct ptrmap index; /* key to position + 1 */
        VEC(char *) rows;    /* JSON of each */
};

struct scene {
        FILE *f;
        struct symbols *symbols;
        const struct report_info *info;
        struct scene_table ops, objects, places, files, granules;
        VEC(const char *) paths; /* of files.rows; they belong to the symbols */
        bool failed;             /* memory ran out */
};

/* Writes to f; the caller owns f and symbols. */
void scene_init(struct scene *s, FILE *f, struct symbols *symbols, const struct report_info *info);

/* One failure as a JSON object. */
void scene_finding(struct scene *s, const struct finding *fd);

/* The tables as further fields.  True when memory ran out on the way. */
bool scene_fini(struct scene *s);

#endif
