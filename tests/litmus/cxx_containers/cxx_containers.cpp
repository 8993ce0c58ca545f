// std::string, std::vector and std::map under a lock; their memory comes and goes.
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static std::mutex lock;
static std::map<std::string, int> *table;
int sum;

static void put(const std::string &name, int value)
{
        std::lock_guard<std::mutex> held(lock);
        (*table)[name + " with a tail that does not fit into a small string"] = value;
}

int main()
{
        table = new std::map<std::string, int>;
        std::vector<std::thread> threads;
        threads.emplace_back(put, "one", 1);
        threads.emplace_back(put, "two", 2);
        for (auto &t : threads)
                t.join();
        for (auto &e : *table)
                sum += e.second;
        delete table;
}
