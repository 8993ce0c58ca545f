/* Wakeup policies as people write them: "mutex=fifo,sem=lifo". */
#ifndef HEDDLE_CLI_OPTION_WAKEUP_POLICY_H
#define HEDDLE_CLI_OPTION_WAKEUP_POLICY_H

#include <stdint.h>

#include "cli/option/value.h"

/* Sets the policies that `text` names (enum wire_wakeup, by enum wire_primitive).  -1: `why` says what is wrong. */
int wakeup_parse(uint32_t *wakeup, const char *text, struct error *why);

#endif
