// std::condition_variable with a predicate.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable cond;
static bool ready;
static int data;

static void consumer()
{
        std::unique_lock<std::mutex> held(lock);
        cond.wait(held, [] { return ready; });
        assert(data == 42);
}

static void producer()
{
        std::lock_guard<std::mutex> held(lock);
        data = 42;
        ready = true;
        cond.notify_one();
}

int main()
{
        std::thread a(consumer), b(producer);
        a.join();
        b.join();
}
