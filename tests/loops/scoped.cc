/* Threads of a vector take two locks in either order, by trying.  The states of this program come back. */
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex a, b;
static int n;

int main()
{
        std::vector<std::thread> all;

        for (int i = 0; i < 3; i++)
                all.emplace_back([i] {
                        std::scoped_lock both(i & 1 ? a : b, i & 1 ? b : a);
                        n++;
                });
        for (std::thread &t : all)
                t.join();
        assert(n == 3);
}
