/* `heddle report` of a recording. */
#ifndef HEDDLE_CLI_RECORD_TIMELINE_H
#define HEDDLE_CLI_RECORD_TIMELINE_H

/* Shows the recording in this file.  The exit status. */
int timeline_main(const char *path);

#endif
