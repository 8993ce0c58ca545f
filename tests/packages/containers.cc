/* The standard containers of C++17 at work: prints the same in every build. */
#include <algorithm>
#include <deque>
#include <functional>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

namespace {
unsigned seed = 1;
unsigned number() { return seed = seed * 1103515245u + 12345u; }

struct tree {
        std::unique_ptr<tree> left, right;
        int value;
        explicit tree(int v) : value(v) {}
        void add(int v)
        {
                auto &side = v < value ? left : right;
                if (side)
                        side->add(v);
                else
                        side = std::make_unique<tree>(v);
        }
        int sum() const { return value + (left ? left->sum() : 0) + (right ? right->sum() : 0); }
};

std::optional<std::string> nth(const std::list<std::string> &l, size_t n)
{
        if (n >= l.size())
                return std::nullopt;
        return *std::next(l.begin(), static_cast<long>(n));
}
} // namespace

int main()
{
        std::map<std::string, std::vector<unsigned>> words;
        std::unordered_map<unsigned, std::string> names;
        std::unordered_set<std::string> seen;
        std::set<unsigned> sorted;
        std::list<std::string> order;
        std::deque<std::variant<int, std::string>> mixed;
        std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> first;
        auto shared = std::make_shared<std::vector<std::function<int(int)>>>();
        tree root(500);

        for (unsigned i = 0; i < 20000; i++) {
                unsigned n = number() >> 8 & 0xfff;
                std::string name = "n" + std::to_string(n);
                words[name].push_back(i);
                names[n] = name + std::string(n % 40, 'x');
                if (seen.insert(name).second)
                        order.push_front(name);
                sorted.insert(n);
                first.push(n);
                if (i % 3)
                        mixed.emplace_back(static_cast<int>(n));
                else
                        mixed.emplace_front(name);
                if (i < 500)
                        root.add(static_cast<int>(n % 1000));
                if (i % 1000 == 0)
                        shared->push_back([n](int x) { return x + static_cast<int>(n); });
                if (i % 7 == 0 && !sorted.empty())
                        sorted.erase(sorted.begin());
        }
        order.sort();
        order.unique();
        int total = std::accumulate(shared->begin(), shared->end(), 0, [](int a, const auto &f) { return f(a) % 100003; });
        size_t strings = static_cast<size_t>(
                std::count_if(mixed.begin(), mixed.end(), [](const auto &v) { return std::holds_alternative<std::string>(v); }));
        size_t length = 0;
        for (const auto &[n, name] : names)
                length += name.size() + n;
        std::ostringstream out;
        out << words.size() << ' ' << length << ' ' << sorted.size() << ' ' << *nth(order, 17) << ' ' << strings << ' ' << total
            << ' ' << root.sum() << ' ' << first.top();
        try {
                out << ' ' << words.at("none").size();
        } catch (const std::out_of_range &) {
                out << " none";
        }
        std::string text = out.str();
        std::string_view all = text;
        std::cout << text << ' ' << (nth(order, 100000) ? "found" : "not found") << ' ' << all.size() << '\n';
        return 0;
}
