/*
 * The names that executions gave to files, or took away: canonical path -> node (node.h).
 *
 * A name that is not in the table is as the machine has it.
 */
#ifndef HEDDLE_RT_FILES_NAMES_H
#define HEDDLE_RT_FILES_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NAME_GONE (-1) /* in place of a node: there is nothing by this name */

#pragma GCC visibility push(hidden)

/* False: the table does not have it.  Else its node, or NAME_GONE. */
bool names_find(const char *path, int *node);
/* The name is that of this node from now on, or gone. */
void names_set(const char *path, int node);
/* How many names a node has. */
uint32_t names_of(int node);
/* All names below a directory become names below another. */
void names_move(const char *from, const char *to);
/* Calls f for the names directly in a directory. */
void names_each_in(const char *dir, void (*f)(void *arg, const char *last, int node), void *arg);
/* Calls f for every name that executions made, changed or removed. */
void names_each(void (*f)(void *arg, const char *path), void *arg);
/* Does the table have any? */
bool names_any(void);

/* A string that stays until the end of the execution: its place, and the string. */
uint32_t names_text(const char *text);
const char *names_text_at(uint32_t place);

/* For the snapshot. */
void names_save(void);
void names_restore(void);

#pragma GCC visibility pop

#endif
