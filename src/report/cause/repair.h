/*
 * What repairs a cause: the weakest change that forbids it.
 */
#ifndef HEDDLE_REPORT_CAUSE_REPAIR_H
#define HEDDLE_REPORT_CAUSE_REPAIR_H

#include "base/strbuf.h"
#include "report/cause/cause.h"

/* A sentence without its end; false: none is known. */
bool repair_say(struct strbuf *b, struct view *v, const struct cause *c);

/* "f.c:12" of an entry; "?" when unknown. */
void repair_say_line(struct strbuf *b, const struct view *v, uint32_t i);

#endif
