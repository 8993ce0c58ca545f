// std::latch: no thread is through before all have arrived.
#include <cassert>
#include <latch>
#include <thread>

static std::latch start(2);
static int ready[2];

static void worker(int i)
{
        ready[i] = 1;
        start.arrive_and_wait();
        assert(ready[1 - i]);
}

int main()
{
        std::thread a(worker, 0), b(worker, 1);
        a.join();
        b.join();
}
