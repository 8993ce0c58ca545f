// std::binary_semaphore as a signal and counting_semaphore with room for two.
#include <cassert>
#include <semaphore>
#include <thread>

static std::counting_semaphore<2> room{2};
static std::binary_semaphore go{0};
static int x;

int main()
{
        std::thread t([] {
                room.acquire();
                x = 1;
                go.release();
        });
        go.acquire();
        assert(x == 1 && room.try_acquire() && !room.try_acquire());
        t.join();
}
