/* A thread is an object: its handle points there, and it holds what the thread returns. */
#ifndef HEDDLE_STATIC_THREADS_H
#define HEDDLE_STATIC_THREADS_H

#include "static/program.h"

/* The call writes the handle of a new thread where the argument points to. */
void threads_create(struct program *p, LLVMValueRef call, LLVMValueRef address);
/* The node for what a thread returns that the call starts. */
uint32_t threads_joined(struct program *p, const struct call *c);
/* What the thread has returned is written where the second argument points to. */
void threads_join(struct program *p, LLVMValueRef call);

#endif
