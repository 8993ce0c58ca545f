// Each thread throws and catches on its own before it writes: what the unwinder looks at is not an event, 3! executions.
#include <stdexcept>
#include <thread>

int x;

static void writer(int value)
{
        try {
                throw std::runtime_error("of this thread alone");
        } catch (const std::exception &) {
        }
        x = value;
}

int main()
{
        std::thread a(writer, 1), b(writer, 2), c(writer, 3);

        a.join();
        b.join();
        c.join();
}
