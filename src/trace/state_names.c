/* The names of states. */
#include "trace/state_names.h"

#include <stdio.h>

#include "op/effect.h"
#include "wire/limits.h"

static const struct kind {
        uint32_t first, count;
        const char *text;
} kinds[] = {
#define STATE(name, text, count) {STATE_##name, count, text},
#include "op/effect.def"
#undef STATE
};

bool statename(char *to, size_t size, uint64_t obj)
{
        uint64_t n = (obj - WIRE_OBJ_STATE(0)) / 8;

        if (obj < WIRE_OBJ_STATE(0) || n >= STATE_COUNT)
                return false;
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
                const struct kind *k = &kinds[i];

                if (n < k->first || n >= k->first + k->count)
                        continue;
                if (k->count == 1)
                        snprintf(to, size, "%s", k->text);
                else
                        snprintf(to, size, "%s%u", k->text, (unsigned)(n - k->first));
        }
        return true;
}
