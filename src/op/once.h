/* One-time initialisation.  State: not begun, being run, done. */
#ifndef HEDDLE_OP_ONCE_H
#define HEDDLE_OP_ONCE_H

enum { OP_ONCE_NEW, OP_ONCE_RUNNING, OP_ONCE_DONE };

#endif
