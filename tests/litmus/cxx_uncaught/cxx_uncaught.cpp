// An exception that leaves a thread's function ends the program.
#include <stdexcept>
#include <thread>

int main()
{
        std::thread a([] { throw std::runtime_error("nobody catches it"); });
        a.join();
}
