/* Semaphores.  State: the value in bits 0-31. */
#ifndef HEDDLE_OP_SEM_H
#define HEDDLE_OP_SEM_H

#include "op/state.h"

#define OP_SEM_VALUE(state) ((uint32_t)(state))
#define OP_SEM_MAX          INT32_MAX

#endif
