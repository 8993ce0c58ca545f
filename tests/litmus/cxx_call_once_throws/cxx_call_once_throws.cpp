// An initialiser that throws has not been: the next thread runs it again.
#include <mutex>
#include <thread>

static std::once_flag once;
int calls, caught;

static void worker()
{
        try {
                std::call_once(once, [] {
                        if (calls++ == 0)
                                throw 1;
                });
        } catch (int) {
                caught++;
        }
}

int main()
{
        std::thread a(worker), b(worker);
        a.join();
        b.join();
}
