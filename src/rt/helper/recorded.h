/*
 * --helpers record: the answers of helpers, in a file in memory that all targets of a search have.
 *
 * A helper is known by its program, arguments, environment, directory and what it is given in memory or by a file.
 */
#ifndef HEDDLE_RT_HELPER_RECORDED_H
#define HEDDLE_RT_HELPER_RECORDED_H

#include <stdbool.h>

struct starter_answer;

#pragma GCC visibility push(hidden)

/* At the start of the program: where the file is. */
void recorded_init(int fd);
/* The answer to a request (enum starter_fd); what was printed is put into its descriptors.  False: it is not known.  Other targets
 * wait until recorded_add() then. */
bool recorded_find(const int *fds, struct starter_answer *a);
void recorded_add(const int *fds, const struct starter_answer *a);

#pragma GCC visibility pop

#endif
