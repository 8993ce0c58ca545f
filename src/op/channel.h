/* What a channel belongs to; the number is a part of its object (OP_CHANNEL_KIND). */
#ifndef HEDDLE_OP_CHANNEL_H
#define HEDDLE_OP_CHANNEL_H

#include <stdint.h>

#define OP_CHANNEL_IS(kind)  ((uint64_t)(kind) << 24)
#define OP_CHANNEL_KIND(obj) ((uint32_t)((obj) >> 24 & 7))

enum channel_kind {
        CHANNEL_NONE,
        CHANNEL_PIPE,
        CHANNEL_SOCKETS,
        CHANNEL_EVENT,
        CHANNEL_TIMER,
        CHANNEL_SIGNALS,
        CHANNEL_LISTENER
};

#endif
