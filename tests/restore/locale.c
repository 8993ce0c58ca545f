/* Locales are set, made and freed in threads. */
#include "restore.h"

#include <ctype.h>
#include <locale.h>

static void odd(long n)
{
        locale_t l;

        if (n == 0) {
                assert(!strcmp(setlocale(LC_ALL, NULL), "C"));
                assert(setlocale(LC_ALL, "C.UTF-8"));
                return;
        }
        l = newlocale(LC_ALL_MASK, "POSIX", (locale_t)0);
        assert(l);
        uselocale(l);
        assert(isalpha('a') && localeconv()->decimal_point[0] == '.');
        uselocale(LC_GLOBAL_LOCALE);
        freelocale(l);
}

int main(void)
{
        restore_run();
        return 0;
}
