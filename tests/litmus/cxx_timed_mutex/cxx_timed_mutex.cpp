// std::timed_mutex and std::recursive_timed_mutex: who does not get it in time goes without.
#include <chrono>
#include <mutex>
#include <thread>

static std::timed_mutex m;
static std::recursive_timed_mutex r;
int x, y;

static void worker()
{
        if (m.try_lock_for(std::chrono::milliseconds(5))) {
                x++;
                m.unlock();
        }
        std::unique_lock lock(r, std::chrono::steady_clock::now() + std::chrono::milliseconds(5));
        if (lock && r.try_lock_for(std::chrono::milliseconds(5))) {
                y++;
                r.unlock();
        }
}

int main()
{
        std::thread a(worker), b(worker);
        a.join();
        b.join();
}
