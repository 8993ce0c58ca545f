/*
 * `heddle report`: a trace turned into a report again.
 */
#ifndef HEDDLE_CLI_REPORT_H
#define HEDDLE_CLI_REPORT_H

/* The command, with the words after its name.  Returns an exit status. */
int report_main(char **argv);

#endif
