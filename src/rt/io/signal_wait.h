/* Signals to the process. */
#ifndef HEDDLE_RT_IO_SIGNAL_WAIT_H
#define HEDDLE_RT_IO_SIGNAL_WAIT_H

#include <stdint.h>

struct signal_message;

#pragma GCC visibility push(hidden)

/* The running thread sends it, or a timer will in `at` nanoseconds from now on; sets owner and `at`. */
void signal_send_process(struct signal_message *m, uintptr_t site);

#pragma GCC visibility pop

#endif
