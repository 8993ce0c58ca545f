// jthread: it is asked to stop, and joined, when it goes.
#include <stop_token>
#include <thread>

int stopped;

int main()
{
        std::jthread t([](std::stop_token stop) {
                while (!stop.stop_requested())
                        ;
                stopped = 1;
        });
}
