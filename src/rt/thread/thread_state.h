/* What thread.c keeps of each thread: its function, and how it ends. */
#ifndef HEDDLE_RT_THREAD_THREAD_STATE_H
#define HEDDLE_RT_THREAD_THREAD_STATE_H

#include <stdbool.h>

struct body_state {
        void *(*start)(void *);
        void *arg, *retval;
        void *dtors; /* tls.c: C++ thread_local destructors, a list */
        bool c11;    /* the start function returns an int */
        bool ending; /* it has returned, called pthread_exit, or is cancelled */
};

#endif
