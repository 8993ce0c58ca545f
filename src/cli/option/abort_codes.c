/* See abort_codes.h. */
#include "cli/option/abort_codes.h"

#include <stdio.h>
#include <string.h>

#include "cli/option/value.h"

/* In the order of the bits of a status; `explicit' is the program's. */
static const char bits[] = "explicit retry conflict capacity debug nested";

/* Words joined by + or |. */
static int parse_bits(uint32_t *status, char *text, struct error *why)
{
        char *rest = NULL;

        *status = 0;
        for (char *word = strtok_r(text, "+|", &rest); word; word = strtok_r(NULL, "+|", &rest)) {
                int at = value_word(bits, word);

                if (at <= 0) {
                        error_set(why, -1,
                                  "unknown code '%.40s'; use numbers, or retry, conflict, capacity, debug and "
                                  "nested joined by +, or none",
                                  word);
                        return -1;
                }
                *status |= 1u << at;
        }
        return 0;
}

static int parse_one(struct wire_txn_codes *codes, const char *text, size_t n, struct error *why)
{
        char word[64];
        uint64_t number;

        if (!n || n >= sizeof word || codes->n == WIRE_MAX_CODES) {
                error_set(why, -1, "at most %u codes, separated by commas, none of them empty", WIRE_MAX_CODES);
                return -1;
        }
        snprintf(word, sizeof word, "%.*s", (int)n, text);
        if (word[0] < '0' || word[0] > '9')
                return parse_bits(&codes->at[codes->n++], word, why);
        if (value_number(&number, word, 0, UINT32_MAX - 1, why) < 0)
                return -1;
        codes->at[codes->n++] = (uint32_t)number;
        return 0;
}

int codes_parse(struct wire_txn_codes *codes, const char *text, struct error *why)
{
        *codes = (struct wire_txn_codes){.given = 1};
        if (strcmp(text, "none") == 0)
                return 0;
        for (;; text++) {
                size_t n = strcspn(text, ",");

                if (parse_one(codes, text, n, why) < 0)
                        return -1;
                text += n;
                if (!*text)
                        return 0;
        }
}
