// The other kinds of mutex.
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::recursive_mutex r;
static std::mutex m;
int x;

static void worker()
{
        std::scoped_lock both(r, m);
        std::lock_guard again(r);
        x++;
}

int main()
{
        std::thread a(worker), b(worker);
        a.join();
        b.join();
}
