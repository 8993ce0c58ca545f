/*
 * Values of options: what is read, and what is refused.
 */
#include "base/distance.h"
#include "cli/option/value.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static void times(void)
{
        static const struct {
                const char *text;
                double seconds; /* 0: refused */
        } cases[] = {{"500ms", 0.5}, {"30s", 30}, {"5m", 300}, {"2h", 7200}, {"1.5s", 1.5}, {"1d", 86400}, {"", 0},
                     {"30", 0},      {"s", 0},    {"-1s", 0},  {"0s", 0},    {".s", 0},     {"1.2.3s", 0}, {"1x", 0},
                     {"1 s", 0},     {"nan", 0},  {"infs", 0}, {"0x1s", 0},  {"1e3s", 0}};
        struct error why;

        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
                double seconds = -1;
                int err = value_time(&seconds, cases[i].text, &why);
                assert((err == 0) == (cases[i].seconds > 0));
                assert(err < 0 ? seconds == -1 : fabs(seconds - cases[i].seconds) < 1e-9);
        }
}

static void numbers(void)
{
        struct error why;
        uint64_t n = 7;

        assert(value_number(&n, "12", 1, 100, &why) == 0 && n == 12);
        assert(value_number(&n, "0x10", 1, 100, &why) == 0 && n == 16);
        assert(value_number(&n, "18446744073709551615", 0, UINT64_MAX, &why) == 0 && n == UINT64_MAX);
        n = 7;
        assert(value_number(&n, "18446744073709551616", 0, UINT64_MAX, &why) < 0 && strstr(why.text, "too large"));
        assert(value_number(&n, "101", 1, 100, &why) < 0 && strstr(why.text, "at most 100"));
        assert(value_number(&n, "0", 1, 100, &why) < 0 && strstr(why.text, "at least 1"));
        assert(value_number(&n, "", 1, 100, &why) < 0);
        assert(value_number(&n, "-1", 1, 100, &why) < 0);
        assert(value_number(&n, " 1", 1, 100, &why) < 0);
        assert(value_number(&n, "1k", 1, 100, &why) < 0);
        assert(n == 7);
}

static void words(void)
{
        char near[64], all[VALUE_WORDS];

        assert(value_word("auto dfs dpor", "dpor") == 2);
        assert(value_word("auto dfs dpor", "dpo") == -1);
        assert(value_word("auto dfs dpor", "") == -1);
        value_nearest(near, "auto dfs dpor", "dpro");
        assert(strcmp(near, "dpor") == 0);
        value_nearest(near, "auto dfs dpor", "xyzzy");
        assert(strcmp(near, "") == 0);
        value_spell(all, "auto dfs dpor");
        assert(strcmp(all, "auto, dfs or dpor") == 0);
        value_spell(all, "sc");
        assert(strcmp(all, "sc") == 0);
        assert(distance_words("kitten", "sitting") == 3);
}

int main(void)
{
        times();
        numbers();
        words();
        return 0;
}
