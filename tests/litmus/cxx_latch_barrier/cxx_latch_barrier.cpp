// std::latch and std::barrier.
#include <barrier>
#include <cassert>
#include <latch>
#include <thread>

static std::latch start{2};
static int rounds;
static auto done = []() noexcept { rounds++; };
static std::barrier sync_point{2, done};
static int a, b;

static void worker(int &mine, const int &other)
{
        start.arrive_and_wait();
        mine = 1;
        sync_point.arrive_and_wait();
        assert(other == 1 && rounds == 1);
}

int main()
{
        std::thread t(worker, std::ref(a), std::cref(b));
        worker(b, a);
        t.join();
}
