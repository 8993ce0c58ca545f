// std::shared_timed_mutex: a reader that waits for a while, and a writer.
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_timed_mutex m;
int x, late;

static void reads()
{
        std::shared_lock lock(m, std::chrono::milliseconds(10));
        if (!lock)
                late = 1;
}

static void writes()
{
        if (m.try_lock_for(std::chrono::seconds(1))) {
                x++;
                m.unlock();
        }
}

int main()
{
        std::thread first(reads), second(writes);
        first.join();
        second.join();
}
