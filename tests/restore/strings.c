/* Functions that keep something between calls: strtok, strerror, strsignal, getopt. */
#include "restore.h"

#include <unistd.h>

static char words[] = "one two three";

static void odd(long n)
{
        char *argv[] = {(char *)"p", (char *)"-a", (char *)"x", (char *)"-b", NULL};

        if (n == 0) {
                assert(!strcmp(strtok(NULL, " "), "two"));
                assert(strerror(12345)[0] == 'U');
        } else {
                assert(optind == 1);
                while (getopt(4, argv, "a:b") != -1)
                        ;
                assert(optind == 4);
                assert(strsignal(1000)[0]);
        }
}

int main(void)
{
        assert(!strcmp(strtok(words, " "), "one"));
        restore_run();
        return 0;
}
