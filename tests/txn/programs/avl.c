/*
 * Insertions into an AVL tree, by a transaction or under a mutex with its flag raised.  The transaction reads the flag if
 * FIXED; otherwise an insertion under the mutex works on a tree that changes.
 */
#include "txn_test.h"

struct node {
        int key, height;
        struct node *child[2];
};

static const int keys[] = {25, 75, 12, 88};
static struct node nodes[K * N], top = {.key = 50, .height = 1}, *root = &top;
static int flag, made;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int height(const struct node *n)
{
        return n ? n->height : 0;
}

static void measure(struct node *n)
{
        int l = height(n->child[0]), r = height(n->child[1]);

        n->height = 1 + (l > r ? l : r);
}

/* The child of this side takes its place. */
static struct node *rotate(struct node *n, int side)
{
        struct node *up = n->child[side];

        n->child[side] = up->child[!side];
        up->child[!side] = n;
        measure(n);
        measure(up);
        return up;
}

static struct node *insert(struct node *n, struct node *new)
{
        int side;

        if (!n)
                return new;
        side = new->key > n->key;
        n->child[side] = insert(n->child[side], new);
        measure(n);
        if (height(n->child[side]) - height(n->child[!side]) < 2)
                return n;
        if (height(n->child[side]->child[side]) < height(n->child[side]->child[!side]))
                n->child[side] = rotate(n->child[side], !side);
        return rotate(n, side);
}

static void work(intptr_t me)
{
        static int done[K];
        int i = (int)me + K * done[me]++;

        nodes[i] = (struct node){.key = keys[i], .height = 1};
        if (_xbegin() == _XBEGIN_STARTED) {
#ifdef FIXED
                if (flag)
                        _xabort(0);
#endif
                root = insert(root, &nodes[i]);
                _xend();
                return;
        }
        pthread_mutex_lock(&m);
        flag = 1;
        root = insert(root, &nodes[i]);
        flag = 0;
        pthread_mutex_unlock(&m);
}

/* Counts the nodes; their order, heights and balance are right. */
static int check(const struct node *n, int low, int high)
{
        int l, r;

        if (!n)
                return 0;
        l = height(n->child[0]);
        r = height(n->child[1]);
        assert(++made <= K * N + 1);
        assert(n->key > low && n->key < high);
        assert(n->height == 1 + (l > r ? l : r) && l - r < 2 && r - l < 2);
        return 1 + check(n->child[0], low, n->key) + check(n->child[1], n->key, high);
}

int main(void)
{
        run();
        assert(check(root, 0, 100) == K * N + 1);
}
