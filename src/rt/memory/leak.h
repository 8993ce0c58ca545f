/* Blocks of the heap that nothing points to when the program ends. */
#ifndef HEDDLE_RT_MEMORY_LEAK_H
#define HEDDLE_RT_MEMORY_LEAK_H

#pragma GCC visibility push(hidden)

/* The execution has come to a normal end: tells the explorer of what is lost (leaks of struct wire_up). */
void leak_look(void);

#pragma GCC visibility pop

#endif
