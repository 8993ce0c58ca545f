/*
 * What heddle does with a trace once it is believed: reports, texts, copies.  Shared by the targets.
 */
#ifndef HEDDLE_FUZZ_TELL_H
#define HEDDLE_FUZZ_TELL_H

#include "trace/trace.h"

void tell(const struct trace *t, const char *schedule);

#endif
