// std::barrier: the completion function runs once, before a thread continues.
#include <barrier>
#include <cassert>
#include <thread>

int completed;

static void complete() noexcept
{
        completed++;
}

static std::barrier<void (*)() noexcept> meet(2, complete);

static void worker()
{
        meet.arrive_and_wait();
        assert(completed == 1);
}

int main()
{
        std::thread a(worker), b(worker);
        a.join();
        b.join();
}
