// Streams into strings: one that threads share is an object of the program, and one of a thread's own concerns no other.
#include <cassert>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

static std::ostringstream shared;
static std::mutex m;
static std::string name = "name";

static void print(int i)
{
#ifndef RACE
        std::ostringstream own;
        own << i << name;
        std::cout << own.str() << std::endl;
        std::lock_guard<std::mutex> guard(m);
#endif
        shared << i;
}

int main()
{
        std::thread a(print, 1), b(print, 2);
        a.join();
        b.join();
#ifdef RACE
        assert(shared.str() == "12");
#else
        assert(shared.str().size() == 2);
#endif
}
