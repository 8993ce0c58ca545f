// An exception that leaves a thread's function ends the program.
#include <thread>

int main()
{
        std::thread a([] { throw 1; });
        a.join();
}
