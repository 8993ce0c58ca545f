/* See static.h.  heddle does not link LLVM: the work is that of a program of its own. */
#include "cli/static.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "binary/instrumentation.h"
#include "cli/cc/cc.h"
#include "cli/cc/cc_line.h"
#include "cli/help.h"
#include "cli/list.h"
#include "cli/status.h"
#include "cli/temp.h"
#include "strategy/registry.h"

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

/* Does the strategy use the dependences? */
static bool has_use(const struct config *config)
{
        const char *name = strategy_row(config->strategy)->name;

        return !config->shards && !config->store &&
               ((strcmp(name, "mcr") == 0 && config->mcr == MCR_COMPLETE) || strcmp(name, "deepen") == 0);
}

static bool has_ir(const struct config *config)
{
        struct watched_file w;

        return watched_scan(config->program, &w) == 0 && w.ir;
}

int static_choose(struct config *config, const struct place *place)
{
        struct list l = {0};
        char *program;

        if (config->dependences == STATIC_OFF || (config->dependences == STATIC_AUTO && !has_ir(config)))
                return 0;
        config->analysed = config->dependences != STATIC_AUTO || has_use(config);
        program = static_program(place);
        if (!program && config->dependences == STATIC_AUTO)
                return 0;
        if (!program)
                return status_usage("--static: this heddle was built without LLVM; see heddle doctor");
        list_add(&l, program);
        list_add(&l, "--irrelevant");
        if (config->dependences >= STATIC_PUBLISHED)
                list_add(&l, "--published");
        for (uint32_t i = 0; i < config->n_observe; i++)
                list_addf(&l, "--observe=%s", config->observe[i]);
        for (uint32_t i = 0; i < config->n_finals; i++)
                list_addf(&l, "--final=%s", config->finals[i]);
        list_add(&l, config->program);
        config->analyser = list_format("%s 2>&1", list_quote(&l));
        return 0;
}

/* Compiles the sources among the words into the private folder; the rest and the program are added to the list. */
static int add_words(struct list *l, char **argv)
{
        struct list sources = {0}, none = {0};
        int status;

        for (; *argv; argv++)
                list_add((*argv)[0] != '-' && ccline_source(*argv) ? &sources : l, *argv);
        if (!sources.n)
                return 0;
        char *made = temp_file("static");
        if (!made)
                return STATUS_USAGE;
        status = cc_program(NULL, &none, &sources, &none, true, made);
        list_add(l, made);
        return status ? STATUS_USAGE : 0;
}

/* Not exec: the private folder is removed at the end. */
static int run(const struct list *l)
{
        int status = system(list_quote(l));

        return status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status)
                                                : status_internal("%s was ended by a signal", l->words[0]);
}

int static_main(char **argv)
{
        struct place place;
        struct list l = {0};
        char *program;
        int status;

        for (char **word = argv; *word; word++)
                if (strcmp(*word, "--help") == 0 || strcmp(*word, "-h") == 0)
                        return help_command(stdout, "static", false);
        if (place_find(&place) < 0)
                return STATUS_INTERNAL;
        program = static_program(&place);
        if (!program)
                return status_usage("this heddle was built without LLVM, which heddle static needs; see heddle doctor");
        list_add(&l, program);
        status = add_words(&l, argv);
        if (!status)
                status = run(&l);
        temp_remove();
        return status;
}
