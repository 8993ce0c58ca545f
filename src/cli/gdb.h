/*
 * `heddle gdb`.
 */
#ifndef HEDDLE_CLI_GDB_H
#define HEDDLE_CLI_GDB_H

int gdb_main(char **argv);

/* What gdb starts in place of the program: becomes the program that the descriptor describes. */
int gdb_exec_target(const char *descriptor);

#endif
