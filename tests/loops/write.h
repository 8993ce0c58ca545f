/* Writes a program statement by statement: its text, and the model's code of it. */
#ifndef LOOPS_WRITE_H
#define LOOPS_WRITE_H

#include "model.h"

#define T 3 /* the register of tests */
#define I 4 /* ... of counting */

/* The program at hand, and the thread whose statements come next. */
extern struct program *p;
extern uint32_t thread;

/* From here on for this program, with these choices. */
void write_begin(struct program *to, uint64_t seed, FILE *file, uint32_t *count);

/* A number below n, by chance. */
uint32_t below(uint32_t n);
/* Two bits that do not change what `below` gives next. */
uint32_t peek(void);

/* A line of text. */
void text(const char *format, ...) __attribute__((format(printf, 1, 2)));
uint32_t lines_so_far(void);
/* The text of a store of a number, or of a local variable. */
void store_text(uint32_t x, const char *what);

/* The position of the next code. */
uint32_t here(void);
uint32_t add(uint32_t op, uint32_t to, uint32_t var, uint32_t value, uint32_t more);
void jump(uint32_t op, uint32_t reg, uint32_t value, uint32_t target);
/* A jump whose target is set by lands(). */
uint32_t jump_on(uint32_t op, uint32_t reg, uint32_t value);
void lands(uint32_t i);

#endif
