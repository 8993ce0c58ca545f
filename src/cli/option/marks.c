/* Marks, read from the words that the options left. */
#include "cli/option/marks.h"

#include <string.h>

#include "cli/status.h"
#include "cli/option/value.h"

static const char kinds[] = "within without trust no-race ignore"; /* in the order of enum config_mark_kind */

static int take(struct config_mark *m, const char *word)
{
        size_t n = strcspn(word, "=");
        char *name = list_format("%.*s", (int)n, word), *pattern = list_format("%s", word + n + 1);
        char *at = strrchr(pattern, '@');
        struct error why;
        uint64_t thread;

        m->kind = (enum config_mark_kind)value_word(kinds, name);
        m->pattern = pattern;
        m->actor = WIRE_NO_ACTOR;
        if (!at)
                return 0;
        if (m->kind != MARK_WITHIN && m->kind != MARK_WITHOUT)
                return status_usage("--%s %s: only --within and --without hold for one thread; leave '%s' out", name,
                                    pattern, at);
        if (value_number(&thread, at + 1, 0, WIRE_MAX_THREADS - 1, &why) < 0 || at == pattern)
                return status_usage("--%s %s: write FUNCTION@THREAD, with the thread's number as reports show it", name,
                                    pattern);
        *at = '\0';
        m->actor = (uint32_t)thread;
        return 0;
}

int marks_take(struct config *config, const struct list *words)
{
        struct config_mark *marks = list_alloc((words->n + 1) * sizeof *marks);

        for (size_t i = 0; i < words->n; i++) {
                int err = take(&marks[i], words->words[i]);
                if (err)
                        return err;
        }
        config->marks = marks;
        config->n_marks = (uint32_t)words->n;
        return 0;
}
