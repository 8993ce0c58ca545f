// Two readers and a writer, std::shared_mutex.
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex m;
int a, b;

static void reads()
{
        std::shared_lock lock(m);
        assert(a == b);
}

static void writes()
{
        std::unique_lock lock(m);
        a++;
        b++;
}

int main()
{
        std::thread first(reads), second(reads), third(writes);
        first.join();
        second.join();
        third.join();
}
