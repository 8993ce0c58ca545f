// promise and future, packaged_task, async.
#include <cassert>
#include <future>
#include <stdexcept>
#include <thread>

int main()
{
        std::promise<int> p;
        std::future<int> f = p.get_future();
        std::thread t([&] { p.set_value(3); });
        assert(f.get() == 3);
        t.join();
        std::packaged_task<int(int)> task([](int n) { return n + 1; });
        auto g = task.get_future();
        std::thread u(std::move(task), 4);
        assert(g.get() == 5);
        u.join();
        auto h = std::async(std::launch::async, []() -> int { throw std::runtime_error("no"); });
        try {
                h.get();
                assert(false);
        } catch (const std::runtime_error &) {
        }
}
