// condition_variable_any: a wait that a stop request ends.
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

static std::mutex m;
static std::condition_variable_any cv;
int stopped;

int main()
{
        std::jthread t([](std::stop_token stop) {
                std::unique_lock lock(m);
                stopped = !cv.wait(lock, stop, [] { return false; });
        });
}
