/* std::scoped_lock of two locks in opposite orders: it tries, and backs off. */
#include <cassert>
#include <mutex>
#include <thread>

struct account {
        std::mutex m;
        int balance = 100;
};

static account a, b;

static void transfer(account &from, account &to, int amount)
{
        std::scoped_lock lock(from.m, to.m);
        from.balance -= amount;
        to.balance += amount;
}

int main()
{
        std::thread t([] { transfer(a, b, 10); }), u([] { transfer(b, a, 20); });
        t.join();
        u.join();
        assert(a.balance == 110 && b.balance == 90);
}
