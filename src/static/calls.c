/* See calls.h. */
#include "static/calls.h"

#include <stddef.h>
#include <string.h>

static const struct known_call rows[] = {
#define CALL(name, result, arguments) {#name, result, arguments},
#include "static/calls.def"
#undef CALL
};

const struct known_call *calls_find(const char *name)
{
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
                if (strcmp(rows[i].name, name) == 0)
                        return &rows[i];
        return NULL;
}

char calls_letter(const struct known_call *c, unsigned argument)
{
        size_t n = strlen(c->arguments);

        return c->arguments[argument < n ? argument : n - 1];
}
