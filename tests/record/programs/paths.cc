// One thread, many shapes of control flow: the body that runs natively and the watched one announce the same branches.
#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct shape {
        virtual ~shape() {}
        virtual int area(int scale) const = 0;
};

struct square : shape {
        int side;
        explicit square(int s) : side(s) {}
        int area(int scale) const override { return side * side * scale; }
};

struct broken : shape {
        int area(int scale) const override
        {
                if (scale % 3 == 0)
                        throw std::runtime_error("scale " + std::to_string(scale));
                return scale % 2 ? -1 : 1;
        }
};

struct guard {
        int &depth;
        explicit guard(int &d) : depth(d) { depth++; }
        ~guard()
        {
                if (depth % 2)
                        depth -= 1;
                else
                        depth = depth > 2 ? depth - 1 : 1;
        }
};

static int depth;

static int descend(const shape &s, int n)
{
        guard g(depth);
        std::string text(n % 5, 'x');

        if (n == 0)
                return s.area(depth);
        int below = descend(s, n - 1);
        return text.empty() ? below : below + static_cast<int>(text.size());
}

static int measure(const shape &s, int n)
{
        int sum = 0;

        for (int i = 0; i < n; i++) {
                try {
                        sum += descend(s, i % 7);
                } catch (const std::runtime_error &e) {
                        sum += e.what()[6] - '0';
                        if (i % 4 == 3)
                                continue;
                }
                sum ^= i;
        }
        return sum;
}

static int rounds(std::deque<std::function<int(int)>> &todo)
{
        int sum = 0;

        while (!todo.empty()) {
                std::function<int(int)> f;
                f = std::move(todo.front());
                todo.pop_front();
                try {
                        sum += f ? f(sum) : 1;
                } catch (int wrong) {
                        sum -= wrong;
                } catch (...) {
                        sum = -sum;
                }
        }
        return sum;
}

static jmp_buf back;

static int scan(const char *p)
{
        int n = 0, state = 0;

again:
        switch (state) {
        case 0:
                if (!*p)
                        return n;
                state = *p == '(' ? 1 : *p == ')' ? 2 : *p >= 'a' && *p <= 'f' ? 3 : 4;
                goto again;
        case 1: n += 10; break;
        case 2: n -= n > 20 ? 3 : 1; break;
        case 3: n ^= *p; break;
        case 4: longjmp(back, 1 + n % 5);
        }
        p++;
        state = 0;
        goto again;
}

static int jumps()
{
        static const char *const texts[] = {"(a)", "((bcd))f", "(a(z", ")))((", "x", ""};
        static volatile int sum, i;

        sum = 0;
        for (i = 0; i < 6; i = i + 1) {
                int r = setjmp(back);
                if (r)
                        sum = sum + r;
                else
                        sum = sum + scan(texts[i]);
        }
        return sum;
}

int main()
{
        std::vector<std::unique_ptr<shape>> shapes;
        std::map<std::string, int> seen;
        std::deque<std::function<int(int)>> todo;
        unsigned random = 1;

        for (int i = 0; i < 40; i++) {
                random = random * 1103515245u + 12345u;
                if (random >> 16 & 1)
                        shapes.push_back(std::make_unique<square>(static_cast<int>(random >> 20 & 15)));
                else
                        shapes.push_back(std::make_unique<broken>());
        }
        for (auto &s : shapes) {
                int n = measure(*s, 9);
                seen[n % 2 ? "odd" : n > 50 ? "large" : "small"] += n;
                if (n % 5 == 0)
                        todo.push_back(nullptr);
                else
                        todo.push_back([n](int sum) {
                                if (sum % 7 == 3)
                                        throw sum;
                                if (sum % 11 == 5)
                                        throw std::out_of_range("far");
                                return n & sum;
                        });
        }
        std::sort(shapes.begin(), shapes.end(), [](const auto &a, const auto &b) {
                return dynamic_cast<square *>(a.get()) && !dynamic_cast<square *>(b.get());
        });
        printf("%d %d %d %zu\n", rounds(todo), jumps(), seen["odd"], seen.size());
        return 3;
}
