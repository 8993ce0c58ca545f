/* Options that name functions or variables: --within, --without, --trust, --no-race, --ignore. */
#ifndef HEDDLE_CLI_OPTION_MARKS_H
#define HEDDLE_CLI_OPTION_MARKS_H

#include "cli/list.h"
#include "config/config.h"

/* Reads words such as "within=f@2" into config->marks.  0, or the exit status after one line of complaint. */
int marks_take(struct config *config, const struct list *words);

#endif
