#include <cstdio>
#include <stdexcept>
#include <thread>

static int thrown;

int main()
{
        std::thread t([] {
                try {
                        throw std::runtime_error("x");
                } catch (const std::exception &) {
                        thrown = 3;
                }
        });
        t.join();
        std::printf("caught %d\n", thrown);
        return 0;
}
