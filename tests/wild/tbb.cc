// oneTBB with two workers.  The argument names the case.
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <tbb/concurrent_queue.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/spin_mutex.h>
#include <tbb/queuing_mutex.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

static void check(bool ok)
{
        if (!ok)
                abort();
}

static void task_group()
{
        std::atomic<int> n{0};
        tbb::task_group g;

        g.run([&] { n++; });
        g.run([&] { n++; });
        g.wait();
        check(n == 2);
}

/* A counter that is read and written in two steps, each of them atomic.  The task is one of an arena without a place for the main
 * thread, so a worker runs it. */
static void task_lost_update()
{
        std::atomic<int> n{0};
        tbb::task_arena workers(1, 0);
        tbb::task_group g;
        auto add = [&] {
                int old = n.load();
                n.store(old + 1);
        };

        workers.enqueue(g.defer(add));
        add();
        g.wait();
        check(n == 2);
}

static void queue()
{
        tbb::concurrent_queue<int> q;
        std::thread t([&] { q.push(1); });
        int got = 0;

        q.push(1);
        t.join();
        for (int i; q.try_pop(i);)
                got += i;
        check(got == 2);
}

/* Another thread may take the item between the two calls. */
static void queue_stolen()
{
        tbb::concurrent_queue<int> q;
        int item;

        q.push(1);
        std::thread t([&] { int i; q.try_pop(i); });
        if (!q.empty())
                check(q.try_pop(item));
        t.join();
}

static void bounded_queue()
{
        tbb::concurrent_bounded_queue<int> q;
        int item;

        q.set_capacity(1);
        std::thread t([&] { q.push(1); q.push(2); });
        q.pop(item);
        check(item == 1);
        q.pop(item);
        check(item == 2);
        t.join();
}

/* Nobody takes the second item. */
static void bounded_queue_full()
{
        tbb::concurrent_bounded_queue<int> q;
        int item;

        q.set_capacity(1);
        std::thread t([&] { q.push(1); });
        q.push(2);
        q.pop(item);
        if (item == 2)
                q.pop(item);
        t.join();
}

static void parallel_for()
{
        std::atomic<int> sum{0};

        tbb::parallel_for(0, 2, [&](int i) { sum += i + 1; });
        check(sum == 3);
}

/* As above; the loop runs in the arena. */
static void parallel_lost_update()
{
        std::atomic<int> sum{0};
        tbb::task_arena workers(1, 0);
        tbb::task_group g;
        auto add = [&](int i) {
                int old = sum.load();
                sum.store(old + i + 1);
        };

        workers.enqueue(g.defer([&] { tbb::parallel_for(0, 2, add); }));
        add(2);
        g.wait();
        check(sum == 6);
}

template <class M> static void order()
{
        M a, b;
        std::thread t([&] {
                typename M::scoped_lock first(b);
                typename M::scoped_lock second(a);
        });

        {
                typename M::scoped_lock first(a);
                typename M::scoped_lock second(b);
        }
        t.join();
}

int main(int argc, char **argv)
{
        static const struct {
                const char *name;
                void (*run)();
        } cases[] = {{"task_group", task_group},
                     {"task_lost_update", task_lost_update},
                     {"queue", queue},
                     {"queue_stolen", queue_stolen},
                     {"bounded_queue", bounded_queue},
                     {"bounded_queue_full", bounded_queue_full},
                     {"parallel_for", parallel_for},
                     {"parallel_lost_update", parallel_lost_update},
                     {"lock_order", order<tbb::spin_mutex>},
                     {"queuing_order", order<tbb::queuing_mutex>}};
        tbb::global_control two(tbb::global_control::max_allowed_parallelism, 2);

        for (auto &c : cases)
                if (argc > 1 && strcmp(c.name, argv[1]) == 0) {
                        c.run();
                        return 0;
                }
        return 2;
}
