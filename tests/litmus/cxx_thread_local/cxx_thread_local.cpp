// thread_local objects are made on first use in each thread, and destroyed at its end.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> destroyed;

struct counter {
        int value = 7;
        ~counter() { destroyed++; }
};

static thread_local counter mine;

static void worker()
{
        assert(mine.value == 7);
        mine.value = 8;
}

int main()
{
        std::thread a(worker), b(worker);
        a.join();
        b.join();
}
