/* The command line of the comparers. */
#include "arguments.h"

#include <stdlib.h>
#include <string.h>

int arguments_parse(const struct argument *list, int argc, char **argv)
{
        for (int i = 1; i < argc; i++) {
                const struct argument *a = list;
                while (a->name && strcmp(a->name, argv[i]) != 0)
                        a++;
                if (!a->name || (!a->flag && i + 1 == argc))
                        return -1;
                if (a->flag)
                        *a->flag = true;
                else if (a->number)
                        *a->number = atoi(argv[++i]);
                else
                        *a->text = argv[++i];
        }
        return 0;
}
