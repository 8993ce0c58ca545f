/*
 * Variables are known by their place in the environment that the target was started with.  The kernel wrote it onto the stack:
 * setenv() and putenv() replace pointers, and leave the strings.
 */
#include "rt/calls/environment.h"

#include <unistd.h>

#include "rt/rt.h"
#include "wire/wire.h"

static char *given[WIRE_MAX_ENV];
static uint32_t n_given;

void environment_init(void)
{
        while (n_given < WIRE_MAX_ENV && environ[n_given]) {
                given[n_given] = environ[n_given];
                n_given++;
        }
}

static bool names(const char *entry, const char *name)
{
        while (*name && *name == *entry) {
                name++;
                entry++;
        }
        return !*name && *entry == '=';
}

void environment_read(const char *name)
{
        for (uint32_t i = 0; name && i < n_given; i++)
                if (names(given[i], name))
                        rt.up->env_read[i / 8] |= (uint8_t)(1u << i % 8);
}
