// std::counting_semaphore: two tokens, three who want one; std::binary_semaphore hands over.
#include <atomic>
#include <cassert>
#include <semaphore>
#include <thread>

static std::counting_semaphore<2> tokens(2);
static std::binary_semaphore given(0);
static std::atomic<int> inside;

static void worker()
{
        tokens.acquire();
        assert(++inside <= 2);
        --inside;
        tokens.release();
}

int main()
{
        std::thread a(worker), b(worker);
        std::thread c([] {
                given.release();
        });
        given.acquire();
        a.join();
        b.join();
        c.join();
}
