/* Names of variables and functions, as the program has them: linking adds numbers to those that several modules have. */
#ifndef HEDDLE_STATIC_NAMES_H
#define HEDDLE_STATIC_NAMES_H

#include "static/ir.h"

/* The length of a name without the number that linking may have added. */
size_t names_base(const char *name, size_t length);

/* The name of a variable that is defined here, if no other variable can have it in the program; otherwise NULL. */
const char *names_unique(const struct ir *ir, LLVMValueRef variable);

#endif
