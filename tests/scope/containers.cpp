// Containers of libstdc++, whose code is not instrumented; and what every C++ program uses.
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <future>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

static std::mutex mutex;
#ifdef UNLOCKED
#define LOCK()
#else
#define LOCK() std::lock_guard<std::mutex> g(mutex)
#endif

#define SIZE 2
#if defined LIST
static std::list<int> all;
static void work(int i) { LOCK(); all.push_front(i); }
#elif defined MAP
static std::map<int, int> all;
static void work(int i) { LOCK(); all.emplace(i, i); }
#elif defined HASH
static std::unordered_map<int, int> all;
static void work(int i) { LOCK(); all[i] = i; }
#elif defined STRING
#undef SIZE
#define SIZE 43
static std::string all;
static void work(int i) { LOCK(); all.append(i + 20, 'x'); }
#else
struct base {
        virtual ~base() = default;
        virtual int value() = 0;
};
struct derived : base {
        int n;
        explicit derived(int n) : n(n) {}
        int value() override { return n; }
};
static std::atomic<int> sum;
static void work(int i)
{
        std::unique_ptr<base> p = std::make_unique<derived>(i);
        std::shared_ptr<derived> q = std::make_shared<derived>(p->value());
        std::vector<int> v(3, i);

        try {
                if (q->value() == 1)
                        throw std::runtime_error("one");
        } catch (const std::exception &e) {
                std::cerr << e.what() << ' ' << v.size() << std::endl;
        }
        std::lock_guard<std::mutex> g(mutex);
        sum += dynamic_cast<derived &>(*p).n;
}
#endif

int main()
{
#ifdef AFTER
        std::thread([] {}).join();
        work(1);
        work(2);
#else
        std::thread a(work, 1), b(work, 2);
        a.join();
        b.join();
#ifdef UNLOCKED
        if (all.size() != SIZE)
                std::abort();
#endif
        std::cout << std::async(std::launch::async, [] { return 3; }).get() << '\n';
#endif
}
