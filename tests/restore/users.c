/* The name service: it opens files and loads its own tables. */
#include "restore.h"

#include <grp.h>
#include <netdb.h>
#include <pwd.h>
#include <unistd.h>

static void odd(long n)
{
        if (n == 0) {
                struct passwd *p = getpwuid(0);
                assert(p && !strcmp(p->pw_name, "root"));
        } else {
                struct group *g = getgrgid(0);
                assert(g && !strcmp(g->gr_name, "root"));
                setpwent();
                assert(getpwent());
        }
}

int main(void)
{
        restore_run();
        return 0;
}
