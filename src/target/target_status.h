/* How starting or running the target ended. */
#ifndef HEDDLE_TARGET_TARGET_STATUS_H
#define HEDDLE_TARGET_TARGET_STATUS_H

enum target_status {
        TARGET_OK = 0,
        TARGET_DIED = -1, /* killed or crashed beyond reporting; `why` says how; it may be started again */
        TARGET_LOOP = -2, /* no visible operation for config->loop_seconds, and it could not be interrupted */
        TARGET_FAIL = -3, /* cannot be started: `why` */
        TARGET_INTR = -4, /* late() */
};

#endif
