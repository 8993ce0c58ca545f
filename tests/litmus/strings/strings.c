/* strcpy and strlen are accesses like any other. */
#include <string.h>

#include "../litmus.h"

static char text[2];
int length;

static void *writer(void *arg)
{
        strcpy(text, "a");
        return NULL;
}

static void *reader(void *arg)
{
        length = (int)strlen(text);
        return NULL;
}

int main(void)
{
        RUN(writer, reader);
        return 0;
}
