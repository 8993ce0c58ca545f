// The initialisation of a static local variable happens once, and the others wait for it.
#include <cassert>
#include <thread>

int made;

struct thing {
        int value;
        thing()
        {
                made++;
                value = 42;
        }
};

static thing &instance()
{
        static thing t;
        return t;
}

int main()
{
        std::thread a([] { assert(instance().value == 42); });
        std::thread b([] { assert(instance().value == 42); });
        a.join();
        b.join();
}
