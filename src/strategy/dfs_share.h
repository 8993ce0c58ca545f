/* dfs, shared by several workers. */
#ifndef HEDDLE_STRATEGY_DFS_SHARE_H
#define HEDDLE_STRATEGY_DFS_SHARE_H

#include "strategy/share.h"

extern const struct share_ops dfs_share;

#endif
