/* The C++ part of bodies.c: exceptions, and functions that several objects have. */
#include <stdexcept>
#include <string>

extern "C" {
int more(int n);
int (*more_pointer(void))(int);
}

namespace {
int alive;

struct counted {
        counted() { alive++; }
        ~counted() { alive--; }
};

struct shape {
        virtual ~shape() = default;
        virtual int area() const = 0;
};
struct square : shape {
        int side;
        explicit square(int n) : side(n) {}
        int area() const override { return side * side; }
};
} // namespace

template <typename T> __attribute__((noinline)) T deep(T n)
{
        counted here;

        if (n == 0)
                throw std::runtime_error(std::to_string(alive));
        return deep(n - 1) + 1;
}

inline __attribute__((noinline)) int shared(int n)
{
        static int calls;

        return n + ++calls;
}

__attribute__((noinline)) static int caught(int n) noexcept
{
        try {
                return deep(n);
        } catch (const std::exception &e) {
                return std::stoi(e.what()) * 10 + alive;
        }
}

int more(int n)
{
        square s(n);
        const shape &any = s;

        return caught(n) * 1000 + any.area() * 10 + shared(n);
}

int (*more_pointer(void))(int)
{
        return more;
}
