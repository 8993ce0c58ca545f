/*
 * Double-checked initialisation gone wrong: the flag is set before the object is complete, so a thread that sees the
 * flag may find a table that is still empty.  -DFIXED sets the flag last.
 *
 *     heddle check examples/lazy_init.cpp
 *     heddle check -DFIXED examples/lazy_init.cpp
 */
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static std::atomic<bool> ready{false};
static std::mutex lock;
static int table[2];

static int *get_table()
{
        if (!ready) {
                std::lock_guard<std::mutex> hold(lock);
                if (!ready) {
#ifndef FIXED
                        ready = true;
#endif
                        for (int i = 0; i < 2; i++)
                                table[i] = i + 1;
#ifdef FIXED
                        ready = true;
#endif
                }
        }
        return table;
}

static void use()
{
        assert(get_table()[1] == 2);
}

int main()
{
        std::thread a(use), b(use);

        a.join();
        b.join();
}
