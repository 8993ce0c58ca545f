/*
 * Lists of words: argument vectors under construction.
 */
#ifndef HEDDLE_CLI_LIST_H
#define HEDDLE_CLI_LIST_H

#include <stddef.h>

struct list {
        char **words; /* NULL-terminated once something was added; the words belong to the code that made them */
        size_t n, room;
};

/* Appends a word, which must outlive the list. */
void list_add(struct list *l, const char *word);

/* Appends a word made by printf; it lives as long as the process. */
void list_addf(struct list *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

void list_add_all(struct list *l, const struct list *more);

/* A string made by printf that lives as long as the process. */
char *list_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* An absolute path without links, or NULL (errno): realpath() that lives as long as the process. */
char *list_path(const char *path);

/* The words in one line, each quoted for the shell where that is needed.  Lives as long as the process. */
char *list_quote(const struct list *l);

/* Memory of that many bytes, zeroed; ends the program with status 3 when there is none. */
void *list_alloc(size_t bytes);

/* Frees all that was said to live as long as the process: for tests that run many commands. */
void list_release(void);

#endif
