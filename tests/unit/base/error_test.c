/* Errors: one line, cut where it is too long; the old text may be an argument of the new one. */
#include "base/error.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
        char words[2 * ERROR_TEXT];
        struct error e = {"first"};

        assert(error_set(&e, ERROR_USAGE, "second, after %s", e.text) == ERROR_USAGE);
        assert(strcmp(e.text, "second, after first") == 0);
        memset(words, 'x', sizeof words);
        words[sizeof words - 1] = 0;
        assert(error_set(&e, ERROR_FAIL, "%s", words) == ERROR_FAIL && strlen(e.text) == ERROR_TEXT - 1);
        assert(error_memory(&e) == ERROR_FAIL && strcmp(e.text, "out of memory") == 0);
        puts("PASS error");
        return 0;
}
