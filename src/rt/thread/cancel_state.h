/* What cancel.c keeps of each thread. */
#ifndef HEDDLE_RT_THREAD_CANCEL_STATE_H
#define HEDDLE_RT_THREAD_CANCEL_STATE_H

#include <stdbool.h>

struct cancel_state {
        bool off;         /* PTHREAD_CANCEL_DISABLE */
        bool async;       /* PTHREAD_CANCEL_ASYNCHRONOUS */
        bool requested;   /* another thread has called pthread_cancel for it */
        bool waited;      /* ... while it had to wait in a cancellation point */
        bool at_point;    /* its pending operation is a cancellation point */
        bool interrupted; /* ... at which it will end */
        void *cleanup;    /* cleanup handlers of pthread_cleanup_push in C: the innermost */
};

#endif
