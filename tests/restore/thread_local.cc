/* thread_local objects with constructors and destructors, static locals, global objects. */
#include <string>
#include <thread>
#include <vector>

#include "restore.h"

static int alive;

struct object {
        std::vector<int> v;
        object() : v(10, 3) { __atomic_add_fetch(&alive, 1, __ATOMIC_SEQ_CST); }
        ~object() { __atomic_sub_fetch(&alive, 1, __ATOMIC_SEQ_CST); }
};

static object global;
static thread_local object local;

static object &once()
{
        static object o;
        return o;
}

static void odd(long n)
{
        assert(local.v[0] == 3);
        local.v[0] = 4;
        local.v.resize(100);
        once().v.push_back((int)n);
}

int main()
{
        assert(alive == 1);
        std::thread t([] { local.v.clear(); });
        t.join();
        restore_run();
        assert(alive == 2 && once().v.size() == 12);
        return 0;
}
