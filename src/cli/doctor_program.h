/*
 * heddle doctor PROGRAM: what heddle would watch of it.
 */
#ifndef HEDDLE_CLI_DOCTOR_PROGRAM_H
#define HEDDLE_CLI_DOCTOR_PROGRAM_H

int doctor_program(const char *path);

#endif
