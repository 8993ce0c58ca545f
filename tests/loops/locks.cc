/*
 * Locks and a queue by std::atomic, as C++ programs have them: -DSHAPE=CXX_SPIN, CXX_TTAS, CXX_MCS, CXX_QUEUE or CXX_SEQUENCE (a
 * sequence lock: N threads read, into variables of their callers, one more writes twice); -DN=threads.  Members of std::atomic are functions at -O0, and get what is expected by reference.
 */
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#define CXX_SPIN     1
#define CXX_TTAS     2
#define CXX_MCS      3
#define CXX_QUEUE    4
#define CXX_SEQUENCE 5

struct node {
        std::atomic<node *> next{nullptr};
        std::atomic<bool> waits{false};
        int value = 0;
};

#if SHAPE == CXX_QUEUE
static struct queue {
        std::atomic<node *> head, tail;
        queue() : head(new node), tail(head.load())
        {
        }
        void put(int value)
        {
                node *n = new node;

                n->value = value;
                for (;;) {
                        node *last = tail.load(), *next = last->next.load();

                        if (last != tail.load())
                                continue;
                        if (next) {
                                tail.compare_exchange_strong(last, next);
                        } else if (last->next.compare_exchange_strong(next, n)) {
                                tail.compare_exchange_strong(last, n);
                                return;
                        }
                }
        }
        bool take(int &value)
        {
                for (;;) {
                        node *first = head.load(), *last = tail.load(), *next = first->next.load();

                        if (first != head.load())
                                continue;
                        if (first == last) {
                                if (!next)
                                        return false;
                                tail.compare_exchange_strong(last, next);
                        } else {
                                int found = next->value;

                                if (head.compare_exchange_strong(first, next)) {
                                        value = found;
                                        return true;
                                }
                        }
                }
        }
} q;
static void work(int me)
{
        int value;

        q.put(me);
        assert(q.take(value));
}
#elif SHAPE == CXX_SEQUENCE
static std::atomic<unsigned> sequence;
static std::atomic<int> one, other;
static void write(int value)
{
        unsigned before = sequence.load();

        sequence = before + 1;
        one = value;
        other = value;
        sequence = before + 2;
}
static void read(int &a, int &b)
{
        unsigned before, after;

        do {
                before = sequence.load();
                a = one.load();
                b = other.load();
                after = sequence.load();
        } while (before != after || before & 1);
}
static void work(int)
{
        int a, b;

        read(a, b);
        assert(a == b);
}
#else
static int counter;

#if SHAPE == CXX_SPIN
static struct {
        std::atomic_flag flag = ATOMIC_FLAG_INIT;
        void lock(node &)
        {
                while (flag.test_and_set(std::memory_order_acquire))
                        ;
        }
        void unlock(node &)
        {
                flag.clear(std::memory_order_release);
        }
} l;
#elif SHAPE == CXX_TTAS
static struct {
        std::atomic<bool> held{false};
        void lock(node &)
        {
                for (;;) {
                        bool expected = false;

                        while (held.load(std::memory_order_relaxed))
                                ;
                        if (held.compare_exchange_weak(expected, true))
                                break;
                }
        }
        void unlock(node &)
        {
                held = false;
        }
} l;
#else
static struct {
        std::atomic<node *> tail{nullptr};
        void lock(node &n)
        {
                n.waits = true;
                if (node *before = tail.exchange(&n)) {
                        before->next = &n;
                        while (n.waits.load())
                                ;
                }
        }
        void unlock(node &n)
        {
                node *next = n.next.load();

                if (!next) {
                        node *expected = &n;

                        if (tail.compare_exchange_strong(expected, nullptr))
                                return;
                        while (!(next = n.next.load()))
                                ;
                }
                next->waits = false;
        }
} l;
#endif

static void work(int)
{
        node n;

        l.lock(n);
        counter++;
        l.unlock(n);
}
#endif

int main()
{
        std::vector<std::thread> threads;

        for (int i = 0; i < N; i++)
                threads.emplace_back(work, i);
#if SHAPE == CXX_SEQUENCE
        write(1);
        write(2);
#endif
        for (std::thread &t : threads)
                t.join();
        return 0;
}
