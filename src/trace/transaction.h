/* Hardware transactions in words. */
#ifndef HEDDLE_TRACE_TRANSACTION_H
#define HEDDLE_TRACE_TRANSACTION_H

#include "wire/wire.h"

#define TRANSACTION_TEXT 96

/* What the entry tells of a transaction, "transaction aborts (conflict, retry)"; NULL: it is of another kind. */
const char *transaction_text(const struct wire_event *e, char text[TRANSACTION_TEXT]);

#endif
