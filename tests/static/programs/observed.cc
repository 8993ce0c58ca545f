// Variables whose names are mangled, of which each has the value of a read at the end.
#include <mutex>
#include <thread>

static std::mutex lock;
static int x, hidden;
int renamed __asm__("another_name");
namespace space
{
int open;
struct Type {
        static int member;
};
int Type::member;
} // namespace space

int main()
{
        static int local;
        std::thread other([] {
                std::lock_guard<std::mutex> guard(lock);
                x = 1;
        });
        lock.lock();
        int v = x;
        lock.unlock();
        hidden = renamed = space::open = space::Type::member = local = v;
        other.join();
        return 0;
}
