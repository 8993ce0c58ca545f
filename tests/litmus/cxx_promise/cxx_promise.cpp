// A value, or an exception, handed over by std::promise; std::async.
#include <cassert>
#include <future>
#include <stdexcept>
#include <thread>

int got, caught;

int main()
{
        std::promise<int> value, error;
        std::future<int> of_value = value.get_future(), of_error = error.get_future();
        std::thread giver([&] {
                value.set_value(7);
                error.set_exception(std::make_exception_ptr(std::runtime_error("no")));
        });
        auto sum = std::async(std::launch::async, [&] { return of_value.get() + 1; });
        try {
                of_error.get();
        } catch (const std::runtime_error &) {
                caught = 1;
        }
        got = sum.get();
        giver.join();
        assert(got == 8 && caught);
}
