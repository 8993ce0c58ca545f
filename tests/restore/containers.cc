/* Containers and strings that grow in threads. */
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "restore.h"

static std::map<std::string, int> table;
static std::vector<std::string> list;
static std::unordered_map<int, std::unique_ptr<std::string>> hashed;

static void odd(long n)
{
        if (n == 0) {
                assert(table.size() == 1);
                for (int i = 0; i < 20; i++)
                        table[std::to_string(i)] = i;
                table.erase("before");
        } else {
                assert(hashed.empty() && list.size() == 1);
                list.push_back(std::string(100, 'x'));
                for (int i = 0; i < 20; i++)
                        hashed[i * 31] = std::make_unique<std::string>("a string on the heap, too long for the inside");
                list[0] += " and more than fits into a short string";
        }
}

int main()
{
        table["before"] = 1;
        list.push_back("before");
        restore_run();
        assert(table.size() == 20 && hashed.size() == 20);
        return 0;
}
