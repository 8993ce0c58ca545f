/*
 * The functions of std::list that libstdc++ keeps out of line, in the layout of bits/stl_list.h: a ring through a header.
 * Compiled by our own pass and linked into programs before libstdc++, so that every access to a list is announced.
 */
#include <list>

namespace std
{
namespace __detail
{
namespace
{
/* The ring of `to` becomes what hangs from `from`, whose header is left behind. */
void take(_List_node_base &to, _List_node_base &from)
{
        to = from;
        to._M_next->_M_prev = to._M_prev->_M_next = &to;
        from._M_next = from._M_prev = &from;
}
} // namespace

void _List_node_base::swap(_List_node_base &a, _List_node_base &b) noexcept
{
        bool a_empty = a._M_next == &a, b_empty = b._M_next == &b;

        if (a_empty && b_empty)
                return;
        if (b_empty)
                return take(b, a);
        if (a_empty)
                return take(a, b);
        std::swap(a._M_next, b._M_next);
        std::swap(a._M_prev, b._M_prev);
        a._M_next->_M_prev = a._M_prev->_M_next = &a;
        b._M_next->_M_prev = b._M_prev->_M_next = &b;
}

void _List_node_base::_M_transfer(_List_node_base *const first, _List_node_base *const last) noexcept
{
        if (this == last)
                return;
        _List_node_base *end = last->_M_prev, *before = first->_M_prev;

        before->_M_next = last;
        last->_M_prev = before;
        first->_M_prev = _M_prev;
        end->_M_next = this;
        _M_prev->_M_next = first;
        _M_prev = end;
}

void _List_node_base::_M_reverse() noexcept
{
        _List_node_base *n = this;

        do {
                std::swap(n->_M_next, n->_M_prev);
                n = n->_M_prev;
        } while (n != this);
}

void _List_node_base::_M_hook(_List_node_base *const before) noexcept
{
        _M_next = before;
        _M_prev = before->_M_prev;
        before->_M_prev->_M_next = this;
        before->_M_prev = this;
}

void _List_node_base::_M_unhook() noexcept
{
        _List_node_base *after = _M_next, *before = _M_prev;

        before->_M_next = after;
        after->_M_prev = before;
}
} // namespace __detail
} // namespace std
