/*
 * The values of options.  Every refusal says what would have been right.
 */
#include "cli/option/value.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/distance.h"
#include "wire/limits.h"

int value_number(uint64_t *out, const char *text, uint64_t low, uint64_t high, struct error *why)
{
        char *end;

        errno = 0;
        uint64_t n = strtoull(text, &end, strncmp(text, "0x", 2) == 0 ? 16 : 10);
        if (*text < '0' || *text > '9' || *end) {
                error_set(why, -1, "'%.64s' is not a whole number; give one such as %" PRIu64, text,
                          low > 64 || high < 64 ? low : UINT64_C(64));
                return -1;
        }
        if (errno == ERANGE || n > high) {
                error_set(why, -1, "%.64s is too large; give at most %" PRIu64, text, high);
                return -1;
        }
        if (n < low) {
                error_set(why, -1, "%.64s is too small; give at least %" PRIu64 ", or leave the option out", text, low);
                return -1;
        }
        *out = n;
        return 0;
}

int value_range(struct wire_values *out, const char *text, struct error *why)
{
        char *end, *last = NULL;
        long long low, high = 0;

        errno = 0;
        low = strtoll(text, &end, 0);
        if (end != text && strncmp(end, "..", 2) == 0)
                high = strtoll(end + 2, &last, 0);
        if (!last || last == end + 2 || *last || errno || low > high) {
                error_set(why, -1, "'%.64s' is not a range; give one such as 0..3 or -1..1", text);
                return -1;
        }
        if ((uint64_t)high - (uint64_t)low >= 65536) {
                error_set(why, -1, "%.64s has more than 65536 values; give fewer", text);
                return -1;
        }
        *out = (struct wire_values){low, (uint64_t)high - (uint64_t)low + 1};
        return 0;
}

int value_time(double *seconds, const char *text, struct error *why)
{
        static const struct {
                const char *name;
                double seconds;
        } units[] = {{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}, {"d", 86400}};
        size_t digits = strspn(text, "0123456789.");
        const char *unit = text + digits;
        char *end;
        double n = strtod(text, &end);

        if (digits > 0 && end == unit && n > 0) {
                for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
                        if (strcmp(unit, units[i].name) == 0) {
                                *seconds = n * units[i].seconds;
                                return 0;
                        }
                }
                if (*unit == '\0') {
                        error_set(why, -1, "'%.40s' has no unit; give %.40ss, %.40sm or %.40sh", text, text, text,
                                  text);
                        return -1;
                }
        }
        error_set(why, -1, "'%.64s' is not a time; give one such as 500ms, 30s, 5m or 2h", text);
        return -1;
}

/* The next word of a list of words; returns its length, 0 at the end. */
static size_t next_word(const char **words)
{
        *words += strspn(*words, " ");
        return strcspn(*words, " ");
}

int value_word(const char *words, const char *text)
{
        size_t n;

        for (int i = 0; (n = next_word(&words)) > 0; i++, words += n)
                if (strlen(text) == n && memcmp(words, text, n) == 0)
                        return i;
        return -1;
}

void value_nearest(char out[64], const char *words, const char *text)
{
        size_t best = strlen(text) / 2 + 1, n;

        out[0] = '\0';
        for (; (n = next_word(&words)) > 0; words += n) {
                char word[64];
                snprintf(word, sizeof word, "%.*s", (int)n, words);
                size_t distance = strncmp(word, text, strlen(text)) == 0 ? 1 : distance_words(word, text);
                if (distance < best) {
                        best = distance;
                        memcpy(out, word, sizeof word);
                }
        }
}

void value_spell(char out[VALUE_WORDS], const char *words)
{
        size_t used = 0, n;

        out[0] = '\0';
        while ((n = next_word(&words)) > 0 && used < VALUE_WORDS) {
                const char *rest = words + n;
                const char *before = used == 0 ? "" : next_word(&rest) > 0 ? ", " : " or ";
                int written = snprintf(out + used, VALUE_WORDS - used, "%s%.*s", before, (int)n, words);
                used += written > 0 ? (size_t)written : 0;
                words += n;
        }
}
