/* What a common node owns. */
#include "parallel/jobtree_node.h"

#include <stdlib.h>

static void state_put(struct jobtree_state *s)
{
        if (s && --s->users == 0)
                free(s);
}

void jobtree_branch_fini(struct jobtree_branch *b, struct wakeup_tree *plans)
{
        free(b->values);
        free(b->footprint);
        wakeup_tree_drop_list(plans, b->plan);
}

void jobtree_node_free(struct jobtree_node *n, struct wakeup_tree *plans)
{
        for (uint32_t i = 0; i < n->branches.n; i++)
                jobtree_branch_fini(&n->branches.at[i], plans);
        vec_fini(&n->branches);
        state_put(n->state);
        free(n);
}
