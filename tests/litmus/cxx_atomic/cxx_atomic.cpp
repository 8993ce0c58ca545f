// Store buffering with std::atomic.
#include <atomic>
#include <thread>

static std::atomic<int> x, y;
int r1, r2;

int main()
{
        std::thread a([] { x = 1; r1 = y; });
        std::thread b([] { y = 1; r2 = x; });
        a.join();
        b.join();
}
