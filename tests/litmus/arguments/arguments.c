/* The program's own arguments. */
#include <assert.h>
#include <string.h>

int main(int argc, char **argv)
{
        assert(argc == 3);
        assert(strcmp(argv[1], "one") == 0 && strcmp(argv[2], "two") == 0);
        return 0;
}
