/* The head of a shard's data: shard_file.c writes it, shard_read.c reads it. */
#ifndef HEDDLE_CLI_MANY_SHARD_FORMAT_H
#define HEDDLE_CLI_MANY_SHARD_FORMAT_H

#include <stdint.h>

#define SHARD_MAGIC   UINT64_C(0x646c646465682d73) /* "s-heddld" */
#define SHARD_VERSION 3u

struct shard_head {
        uint64_t magic;
        uint32_t version, pad;
        uint64_t length, hash; /* of what follows */
};

#endif
