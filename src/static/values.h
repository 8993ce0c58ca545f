/* Nodes of values (points.h), and what flows between them without memory. */
#ifndef HEDDLE_STATIC_VALUES_H
#define HEDDLE_STATIC_VALUES_H

#include "static/program.h"

/* The node of a value; POINTS_EMPTY: it points to nothing. */
uint32_t values_node(struct program *p, LLVMValueRef v);
/* The object of a variable, a function or an instruction that allocates; made if it is not there. */
uint32_t values_object(struct program *p, LLVMValueRef v, enum object_kind kind);
/* The node points to the object. */
void values_point_to(struct program *p, uint32_t node, LLVMValueRef v, enum object_kind kind);

void values_flow(struct program *p, LLVMValueRef from, uint32_t to);
/* All operands; not exact: a computation, of which nothing is known but the objects. */
void values_flow_operands(struct program *p, LLVMValueRef v, uint32_t to, bool exact);
/* How far an element is from the pointer that it is computed from. */
void values_element(struct program *p, LLVMValueRef gep, int64_t *offset, uint64_t *stride);
/* The address of an element. */
void values_shift(struct program *p, LLVMValueRef gep, uint32_t to);
/* A constant that may be an address. */
bool values_is_address(LLVMValueRef v);
bool values_is_cast(LLVMOpcode o);
/* Bytes from one element of this type to the next. */
uint64_t values_size(const struct program *p, LLVMTypeRef t);

#endif
