// std::call_once.
#include <mutex>
#include <thread>

static std::once_flag once;
int calls;

static void worker()
{
        std::call_once(once, [] { calls++; });
}

int main()
{
        std::thread a(worker), b(worker);
        a.join();
        b.join();
}
