/*
 * The functions of std::map and std::set that libstdc++ keeps out of line: the trees of Cormen, Leiserson, Rivest and Stein
 * (chapter 13) in the layout of bits/stl_tree.h.  Compiled by our own pass and linked into programs before libstdc++, so
 * that every access to a tree is announced.
 *
 *     header: parent is the root, left the first node, right the last node; the parent of the root is the header.
 */
#include <map>

namespace std
{
namespace
{
using node = _Rb_tree_node_base;

bool is_black(const node *n)
{
        return !n || n->_M_color == _S_black;
}

/* Where the tree holds a pointer to this node. */
node *&link_to(node *n, node *&root)
{
        if (n == root)
                return root;
        return n == n->_M_parent->_M_left ? n->_M_parent->_M_left : n->_M_parent->_M_right;
}

/* The child on the given side takes the place of its parent. */
void rotate(node *n, bool left, node *&root)
{
        node *up = left ? n->_M_right : n->_M_left;
        node *&inner = left ? up->_M_left : up->_M_right;

        (left ? n->_M_right : n->_M_left) = inner;
        if (inner)
                inner->_M_parent = n;
        up->_M_parent = n->_M_parent;
        link_to(n, root) = up;
        inner = n;
        n->_M_parent = up;
}

/* Two red nodes in a row are mended upwards from the lower one. */
void mend_insertion(node *n, node *&root)
{
        n->_M_color = _S_red;
        while (n != root && n->_M_parent->_M_color == _S_red) {
                node *parent = n->_M_parent, *above = parent->_M_parent;
                bool left = parent == above->_M_left;
                node *uncle = left ? above->_M_right : above->_M_left;

                if (!is_black(uncle)) {
                        parent->_M_color = uncle->_M_color = _S_black;
                        above->_M_color = _S_red;
                        n = above;
                        continue;
                }
                if (n == (left ? parent->_M_right : parent->_M_left)) {
                        rotate(parent, left, root);
                        swap(n, parent);
                }
                parent->_M_color = _S_black;
                above->_M_color = _S_red;
                rotate(above, !left, root);
        }
        root->_M_color = _S_black;
}

/* The subtree `n` of `parent` lacks a black node. */
void mend_removal(node *n, node *parent, node *&root)
{
        while (n != root && is_black(n)) {
                bool left = n == parent->_M_left;
                node *sibling = left ? parent->_M_right : parent->_M_left;

                if (!is_black(sibling)) {
                        sibling->_M_color = _S_black;
                        parent->_M_color = _S_red;
                        rotate(parent, left, root);
                        sibling = left ? parent->_M_right : parent->_M_left;
                }
                if (is_black(sibling->_M_left) && is_black(sibling->_M_right)) {
                        sibling->_M_color = _S_red;
                        n = parent;
                        parent = n->_M_parent;
                        continue;
                }
                if (is_black(left ? sibling->_M_right : sibling->_M_left)) {
                        (left ? sibling->_M_left : sibling->_M_right)->_M_color = _S_black;
                        sibling->_M_color = _S_red;
                        rotate(sibling, !left, root);
                        sibling = left ? parent->_M_right : parent->_M_left;
                }
                sibling->_M_color = parent->_M_color;
                parent->_M_color = _S_black;
                (left ? sibling->_M_right : sibling->_M_left)->_M_color = _S_black;
                rotate(parent, left, root);
                break;
        }
        if (n)
                n->_M_color = _S_black;
}

node *next(node *n)
{
        if (n->_M_right)
                return node::_S_minimum(n->_M_right);
        node *up = n->_M_parent;
        while (n == up->_M_right) {
                n = up;
                up = up->_M_parent;
        }
        /* From the root of a tree without a right half the walk ends at the header itself. */
        return n->_M_right == up ? n : up;
}

node *previous(node *n)
{
        if (n->_M_color == _S_red && n->_M_parent->_M_parent == n) /* the header */
                return n->_M_right;
        if (n->_M_left)
                return node::_S_maximum(n->_M_left);
        node *up = n->_M_parent;
        while (n == up->_M_left) {
                n = up;
                up = up->_M_parent;
        }
        return up;
}

/* `n` has two children: the next node takes its place and its colour.  Where that node was, something lacks: `*hole`
 * below `*parent`. */
void replace_by_next(node *n, node *&root, node **hole, node **parent)
{
        node *successor = node::_S_minimum(n->_M_right);

        *hole = successor->_M_right;
        if (successor == n->_M_right) {
                *parent = successor;
        } else {
                *parent = successor->_M_parent;
                if (*hole)
                        (*hole)->_M_parent = *parent;
                (*parent)->_M_left = *hole;
                successor->_M_right = n->_M_right;
                n->_M_right->_M_parent = successor;
        }
        successor->_M_left = n->_M_left;
        n->_M_left->_M_parent = successor;
        link_to(n, root) = successor;
        successor->_M_parent = n->_M_parent;
        swap(successor->_M_color, n->_M_color);
}
} // namespace

_GLIBCXX_PURE node *_Rb_tree_increment(node *n) throw()
{
        return next(n);
}

_GLIBCXX_PURE const node *_Rb_tree_increment(const node *n) throw()
{
        return next(const_cast<node *>(n));
}

_GLIBCXX_PURE node *_Rb_tree_decrement(node *n) throw()
{
        return previous(n);
}

_GLIBCXX_PURE const node *_Rb_tree_decrement(const node *n) throw()
{
        return previous(const_cast<node *>(n));
}

void _Rb_tree_insert_and_rebalance(const bool left, node *n, node *parent, node &header) throw()
{
        n->_M_parent = parent;
        n->_M_left = n->_M_right = nullptr;
        if (parent == &header) {
                header._M_parent = header._M_left = header._M_right = n;
        } else if (left) {
                parent->_M_left = n;
                if (parent == header._M_left)
                        header._M_left = n;
        } else {
                parent->_M_right = n;
                if (parent == header._M_right)
                        header._M_right = n;
        }
        mend_insertion(n, header._M_parent);
}

node *_Rb_tree_rebalance_for_erase(node *const n, node &header) throw()
{
        node *&root = header._M_parent, *hole, *parent;

        if (n->_M_left && n->_M_right) {
                replace_by_next(n, root, &hole, &parent);
        } else {
                hole = n->_M_left ? n->_M_left : n->_M_right;
                parent = n->_M_parent;
                if (hole)
                        hole->_M_parent = parent;
                link_to(n, root) = hole;
                if (n == header._M_left)
                        header._M_left = n->_M_right ? node::_S_minimum(hole) : parent;
                if (n == header._M_right)
                        header._M_right = n->_M_left ? node::_S_maximum(hole) : parent;
        }
        if (n->_M_color == _S_black)
                mend_removal(hole, parent, root);
        return n;
}
} // namespace std
