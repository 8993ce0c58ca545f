/* Regular expressions, file name patterns, and numbers in text. */
#include "restore.h"

#include <fnmatch.h>
#include <glob.h>
#include <regex.h>

static regex_t shared;

static void odd(long n)
{
        regmatch_t m[2];
        regex_t own;
        glob_t g;

        if (n == 0) {
                assert(regexec(&shared, "abc123def", 2, m, 0) == 0 && m[1].rm_so == 3);
                assert(regcomp(&own, "^[a-z]*$", REG_EXTENDED) == 0);
        } else {
                assert(fnmatch("*.c", "x.c", 0) == 0);
                assert(glob("/etc/pass*", 0, NULL, &g) == 0 && g.gl_pathc > 0);
                assert(strtod("2.5e3", NULL) == 2500.0);
        }
}

int main(void)
{
        assert(regcomp(&shared, "([0-9]+)", REG_EXTENDED) == 0);
        restore_run();
        regfree(&shared);
        return 0;
}
