/* Wakeup policies: which primitives there are, and which policies each has. */
#include "cli/option/wakeup_policy.h"

#include <stdio.h>
#include <string.h>

#include "wire/wire.h"

struct primitive {
        const char *name, *policies; /* words */
};

static const struct primitive primitives[WIRE_PRIMITIVES] = {
        [WIRE_PRIM_MUTEX] = {"mutex", "arbitrary fifo lifo priority"},
        [WIRE_PRIM_COND] = {"cond", "arbitrary fifo lifo priority"},
        [WIRE_PRIM_SEM] = {"sem", "arbitrary fifo lifo priority"},
        [WIRE_PRIM_RWLOCK] = {"rwlock", "none arbitrary reader writer fifo lifo priority"},
        [WIRE_PRIM_BARRIER] = {"barrier", "arbitrary first last"},
};

/* In the order of enum wire_wakeup. */
static const char policies[] = "arbitrary fifo lifo priority reader writer first last";

static int refuse(const char *what, size_t n, const char *of, const char *words, struct error *why)
{
        char all[VALUE_WORDS];

        value_spell(all, words);
        error_set(why, -1, "%s has no '%.*s'; use %.150s", of, n > 40 ? 40 : (int)n, what, all);
        return -1;
}

static int parse_one(uint32_t *wakeup, const char *text, size_t n, struct error *why)
{
        const char *equals = memchr(text, '=', n);
        char name[64], policy[64];

        if (!equals || n >= sizeof name) {
                error_set(why, -1, "'%.*s' is not a policy; write PRIMITIVE=POLICY, as in mutex=fifo,cond=lifo",
                          n > 40 ? 40 : (int)n, text);
                return -1;
        }
        snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
        snprintf(policy, sizeof policy, "%.*s", (int)(text + n - equals - 1), equals + 1);
        for (uint32_t i = 0; i < WIRE_PRIMITIVES; i++) {
                if (!primitives[i].name || strcmp(primitives[i].name, name) != 0)
                        continue;
                if (value_word(primitives[i].policies, policy) < 0)
                        return refuse(policy, strlen(policy), name, primitives[i].policies, why);
                wakeup[i] =
                        strcmp(policy, "none") == 0 ? WIRE_WAKEUP_ARBITRARY : (uint32_t)value_word(policies, policy);
                return 0;
        }
        return refuse(name, strlen(name), "a wakeup policy", "mutex cond sem rwlock barrier", why);
}

int wakeup_parse(uint32_t *wakeup, const char *text, struct error *why)
{
        while (*text) {
                size_t n = strcspn(text, ",");
                if (n && parse_one(wakeup, text, n, why) < 0)
                        return -1;
                text += n + (text[n] == ',');
        }
        return 0;
}
