// A value that is read passes through exceptions, virtual functions and containers of C++.  -DK=N: which.
#include <thread>
#include <mutex>
#include <map>
#include <vector>
#include <string>
#include <memory>
#include <functional>
#include <stdexcept>
#include <atomic>
#include <future>
#include <exception>
#include <cstdlib>
static std::mutex m;
static int x, hits;
struct Base { virtual ~Base() {} virtual int f(int v) = 0; };
struct A : Base { int f(int v) override { return v + 1; } };
struct B : Base { int f(int v) override { if (v) throw std::runtime_error("bad"); return v; } };
struct Other { virtual ~Other() {} long pad = 3; virtual void g() {} };
struct Multi : A, Other { int stat = 0; void g() override { if (stat) std::abort(); } };
struct End { int v; ~End() { if (v) std::abort(); } };
struct Pair { int a = 0, b = 0; int second() { return b; } };
static thread_local End at_end{0};
static int locked(int *w) { std::lock_guard<std::mutex> g(m); hits++; return *w; }
int main() {
    std::thread t([] { std::lock_guard<std::mutex> g(m); x = 1; hits++; });
#if K == 1
    std::unique_ptr<Base> b(new B);
    try { b->f(locked(&x)); } catch (std::exception &e) { std::abort(); }
#elif K == 2
    std::map<int, int> q; q[3] = locked(&x); 
    for (auto &p : q) if (p.second) std::abort();
#elif K == 3
    std::vector<int> v; v.push_back(locked(&x)); if (v.back()) std::abort();
#elif K == 4
    std::function<void(int)> f = [](int v) { if (v) std::abort(); }; f(locked(&x));
#elif K == 5
    try { if (true) throw locked(&x); } catch (int v) { if (v) std::abort(); }
#elif K == 6
    std::string s = std::to_string(locked(&x)); if (s == "1") std::abort();
#elif K == 7
    auto p = std::make_shared<int>(locked(&x)); auto q = p; p.reset(); if (*q) std::abort();
#elif K == 8
    int r = 0; std::thread u([&r] { r = locked(&x); }); u.join(); if (r) std::abort();
#elif K == 10
    Multi q; Other *o = &q; q.stat = locked(&x); o->g();
#elif K == 11
    { End d{locked(&x)}; }
#elif K == 12
    std::thread u([] { at_end.v = locked(&x); }); u.join();
#elif K == 13
    Pair q; int (Pair::*p)() = &Pair::second; q.b = locked(&x); if ((q.*p)()) std::abort();
#elif K == 14
    std::promise<int> p; auto f = p.get_future(); std::thread u([&] { p.set_value(locked(&x)); }); if (f.get()) std::abort(); u.join();
#elif K == 15
    std::exception_ptr e; std::thread u([&] { try { if (true) throw locked(&x); } catch (...) { e = std::current_exception(); } }); u.join();
    try { std::rethrow_exception(e); } catch (int v) { if (v) std::abort(); }
#elif K == 16
    auto b = std::bind([](int v) { return v; }, locked(&x)); if (b()) std::abort();
#elif K == 17
    Base *b = locked(&x) ? (Base *)new B : (Base *)new A; if (dynamic_cast<B *>(b)) std::abort(); delete b;
#elif K == 9
    hits += 0;
#endif
    t.join();
    return 0;
}
