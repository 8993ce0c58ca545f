// Nothing is lost: what the libraries of C++ keep for themselves, and what destructors free.
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::mutex m;
static std::map<int, std::string> all;
static std::unique_ptr<std::vector<std::string>> kept;
static thread_local std::string mine = "a string that is too long to be kept in place";

struct node {
        std::shared_ptr<node> next;
        std::string text;
};

static void work(int i)
{
        std::lock_guard<std::mutex> hold(m);
        auto n = std::make_shared<node>();

        mine += "x";
        n->text = all[i] = mine;
        try {
                throw std::runtime_error(mine);
        } catch (const std::exception &e) {
                n->next = std::make_shared<node>();
        }
}

int main()
{
        kept.reset(new std::vector<std::string>(3, mine));
        std::vector<std::thread> threads;
        for (int i = 0; i < 2; i++)
                threads.emplace_back(work, i);
        for (auto &t : threads)
                t.join();
        std::thread([] { mine += "detached"; }).detach();
        std::cout << all.size() << kept->size() << std::endl;
}
