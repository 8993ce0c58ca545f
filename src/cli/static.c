/* See static.h.  heddle does not link LLVM: the work is that of a program of its own. */
#include "cli/static.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/help.h"
#include "cli/list.h"
#include "cli/status.h"

#define OLDEST 14u
#define NEWEST 40u

char *static_program(const struct place *place)
{
        for (unsigned major = NEWEST; major >= OLDEST; major--) {
                char *path = list_format("%s/static/llvm-%u/heddle-static", place->lib, major);
                if (place_is_program(path))
                        return path;
        }
        return NULL;
}

int static_choose(struct config *config, const struct list *observe, const struct place *place)
{
        struct list l = {0};
        char *program;

        if (config->dependences == STATIC_OFF)
                return 0;
        if (config->dependences == STATIC_PUBLISHED)
                return status_usage("--static published is not available in this version; use on or off");
        program = static_program(place);
        if (!program)
                return status_usage("--static on: this heddle was built without LLVM; see heddle doctor");
        list_add(&l, program);
        list_add(&l, "--irrelevant");
        for (size_t i = 0; i < observe->n; i++)
                list_addf(&l, "--observe=%s", observe->words[i]);
        list_add(&l, config->program);
        config->analyser = list_format("%s 2>&1", list_quote(&l));
        return 0;
}

int static_main(char **argv)
{
        struct place place;
        struct list l = {0};
        char *program;

        for (char **word = argv; *word; word++)
                if (strcmp(*word, "--help") == 0 || strcmp(*word, "-h") == 0)
                        return help_command(stdout, "static", false);
        if (place_find(&place) < 0)
                return STATUS_INTERNAL;
        program = static_program(&place);
        if (!program)
                return status_usage("this heddle was built without LLVM, which heddle static needs; see heddle doctor");
        list_add(&l, program);
        for (; *argv; argv++)
                list_add(&l, *argv);
        execv(program, l.words);
        return status_internal("cannot start %s: %s", program, strerror(errno));
}
