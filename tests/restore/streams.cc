/* Standard streams, string streams and file streams, with their formats and locales. */
#include <fstream>
#include <iomanip>
#include <iostream>
#include <locale>
#include <sstream>

#include "restore.h"

static std::ofstream file("/dev/null");

static void odd(long n)
{
        std::ostringstream s;

        assert(!(std::cout.flags() & std::ios::hex));
        if (n == 0) {
                std::cout << std::hex << std::setw(10) << 255 << std::endl;
                std::locale::global(std::locale("C.UTF-8"));
                file << "left in the buffer";
        } else {
                int v = 0;
                std::cin >> v;
                assert(v == 40);
                s << std::setprecision(3) << 3.14159 << " " << std::boolalpha << true;
                assert(s.str() == "3.14 true");
                std::cout << std::oct;
        }
        std::cout << std::dec;
}

int main()
{
        restore_run();
        std::cout << std::hex;
        return 0;
}
