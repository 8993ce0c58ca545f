/* The statuses of --abort-codes. */
#ifndef HEDDLE_CLI_OPTION_ABORT_CODES_H
#define HEDDLE_CLI_OPTION_ABORT_CODES_H

#include "base/error.h"
#include "wire/txn.h"

/* "retry,conflict+retry,0x8", or "none".  0, or -1 with a reason. */
int codes_parse(struct wire_txn_codes *codes, const char *text, struct error *why);

#endif
