// A std::jthread that waits until it is asked to stop, or for work, with condition_variable_any.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable_any c;
static bool work;
int done, stopped;

static void worker(std::stop_token stop)
{
        std::unique_lock lock(m);
        if (c.wait(lock, stop, [] { return work; }))
                done = 1;
        else
                stopped = 1;
}

int main()
{
        std::jthread t(worker);
        {
                std::lock_guard lock(m);
                work = true;
        }
        c.notify_one();
        t.request_stop();
        t.join();
        assert(done == 1 && stopped == 0);
}
