// The same without the lock.
#include <thread>

int x;

int main()
{
        std::thread a([] { x++; }), b([] { x++; });
        a.join();
        b.join();
}
