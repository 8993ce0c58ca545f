/*
 * Files of options: split into words, and each word taken as the commands do.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/option/option_file.h"
#include "cli/option/options.h"

static void take(char **words, size_t n, enum options_command command)
{
        struct options options;
        struct error why = {""};

        options_init(&options);
        for (int i = 0; (size_t)i < n;) {
                int before = i, taken = options_take(&options, command, OPTIONS_FILE, words, &i, &why);
                if (taken < 0 && !why.text[0])
                        abort();
                if (taken <= 0)
                        i = before + 1;
                else if (i <= before || (size_t)i > n)
                        abort();
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        char *text = malloc(size + 1);
        struct list words = {0};

        memcpy(text, data, size);
        text[size] = '\0';
        for (char *line = text, *end; line; line = end) {
                end = strchr(line, '\n');
                if (end)
                        *end++ = '\0';
                optfile_split(&words, line);
        }
        for (unsigned command = OPTIONS_CHECK; command <= OPTIONS_REPORT && words.n > 0; command <<= 1)
                take(words.words, words.n, command);
        list_release();
        free(text);
        return 0;
}
