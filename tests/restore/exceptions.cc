/* Exceptions thrown, caught, passed on and stored, in threads. */
#include <exception>
#include <stdexcept>
#include <string>

#include "restore.h"

struct noisy {
        int *count;
        ~noisy() { ++*count; }
};

static std::exception_ptr stored;

static void thrower(int n, int *count)
{
        noisy n1{count};
        if (n == 0)
                throw std::runtime_error(std::string("a message that needs memory: ") + std::to_string(n));
        thrower(n - 1, count);
}

static void odd(long n)
{
        int count = 0;

        try {
                thrower(5, &count);
        } catch (const std::exception &e) {
                assert(count == 6 && std::string(e.what()).size() > 20);
                if (n == 0) {
                        assert(!stored);
                        stored = std::current_exception();
                }
        }
        assert(std::uncaught_exceptions() == 0);
}

int main()
{
        restore_run();
        try {
                std::rethrow_exception(stored);
        } catch (const std::runtime_error &) {
                return 0;
        }
        return 1;
}
