/*
 * `heddle doctor`: can heddle run on this machine, and what would make it better?
 */
#ifndef HEDDLE_CLI_DOCTOR_H
#define HEDDLE_CLI_DOCTOR_H

/* argv begins behind the command's name.  Returns the exit status: STATUS_SAFE, or STATUS_USAGE when heddle cannot run. */
int doctor_main(char **argv);

#endif
