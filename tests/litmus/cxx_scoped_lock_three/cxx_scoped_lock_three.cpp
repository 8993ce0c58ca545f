// Three threads that take two locks by trying, in any order, without optimisation: few states, if dead parts of stacks do not count.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex a, b;
static int x;

static void both(int i)
{
        std::scoped_lock held(i & 1 ? a : b, i & 1 ? b : a);
        x++;
}

int main()
{
        std::vector<std::thread> all;

        for (int i = 0; i < 3; i++)
                all.emplace_back(both, i);
        for (auto &t : all)
                t.join();
        assert(x == 3);
}
