// atomic wait and notify: of an int, which is a futex itself, and of a bool, which is not.
#include <atomic>
#include <thread>

#ifndef TYPE
#define TYPE int
#endif

static std::atomic<TYPE> ready;
int x, seen;

int main()
{
        std::thread a([] {
                ready.wait(0);
                seen = x;
        });
        std::thread b([] {
                x = 1;
                ready = 1;
                ready.notify_one();
        });
        a.join();
        b.join();
}
