/* The destructor of a static pool tells its worker to stop without the lock, so the worker may miss it. */
#include <condition_variable>
#include <mutex>
#include <thread>

struct pool {
        std::mutex m;
        std::condition_variable c;
        bool stop = false;
        std::thread worker;

        pool() : worker([this] {
                std::unique_lock<std::mutex> l(m);
                while (!stop)
                        c.wait(l);
        })
        {
        }

        ~pool()
        {
                stop = true;
                c.notify_one();
                worker.join();
        }
};

static pool p;

int main()
{
}
