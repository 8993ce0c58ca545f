// std::thread, std::mutex and std::lock_guard.
#include <mutex>
#include <thread>

int x;
static std::mutex lock;

static void worker()
{
        std::lock_guard<std::mutex> guard(lock);
        x++;
}

int main()
{
        std::thread a(worker), b(worker);
        a.join();
        b.join();
}
