// An exception thrown in one thread while the other is in the middle of handling its own.
#include <atomic>
#include <stdexcept>
#include <thread>

static std::atomic<int> x;
int caught;

struct guard {
        ~guard() { x++; }
};

static void thrower()
{
        try {
                guard g;
                if (x == 0)
                        throw std::runtime_error("none yet");
        } catch (const std::runtime_error &) {
                x++;
                caught = 1;
        }
}

static void observer()
{
        try {
                guard g;
                throw 1;
        } catch (int) {
        }
}

int main()
{
        std::thread a(thrower), b(observer);
        a.join();
        b.join();
}
