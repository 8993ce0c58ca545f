// std::scoped_lock takes both without a deadlock, by trying.  (Two of them against each other may try forever.)
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex a, b;
static int x;

int main()
{
        std::thread left([] {
                std::scoped_lock held(a, b);
                x++;
        });
        std::thread right([] {
                std::lock_guard<std::mutex> held(b);
                x++;
        });
        left.join();
        right.join();
        assert(x == 2);
}
