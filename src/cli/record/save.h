/* The file of a recording: a failure that comes once is not lost because its file cannot be written. */
#ifndef HEDDLE_CLI_RECORD_SAVE_H
#define HEDDLE_CLI_RECORD_SAVE_H

#include "record/recording.h"

/* Can the file be written?  Changes nothing.  0, or STATUS_USAGE after saying why not; `option` names another file. */
int save_try(const char *file, const char *option);

/* The whole recording, or the file stays as it is.  0, or STATUS_USAGE after saying why not. */
int save_recording(const char *file, const char *option, const struct recording *r);

#endif
