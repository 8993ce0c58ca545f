/*
 * heddle-static: dependences of a program, from the IR that `heddle cc --keep-ir` has kept.  A program of its own, because heddle
 * does not link LLVM; `heddle static` starts it, and so does `heddle check --static on`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "static/contexts.h"
#include "static/out/places.h"
#include "static/out/print.h"
#include "static/solve.h"

#define STATUS_USAGE    2
#define STATUS_INTERNAL 3
#define MOST_WORK       UINT64_C(3000000000) /* then everything is relevant */

enum output { OUTPUT_TEXT, OUTPUT_JSON, OUTPUT_DOT, OUTPUT_WHY, OUTPUT_IRRELEVANT };

struct line {
        enum output output;
        const char *why, *dropped;
        bool contexts;
        char **files, **observed, **called;
        size_t n_files, n_observed, n_called;
};

static int usage(const char *text, const char *word)
{
        fprintf(stderr, "heddle: %s%s\n", text, word);
        return STATUS_USAGE;
}

/* An option with its value, in one word or two; NULL: it is another. */
static const char *value(char ***argv, const char *option)
{
        size_t n = strlen(option);

        if (strncmp(**argv, option, n) != 0)
                return NULL;
        if ((**argv)[n] == '=')
                return **argv + n + 1;
        if ((**argv)[n] || !(*argv)[1])
                return NULL;
        return *++*argv;
}

/* FILE:LINE[:COLUMN]? */
static bool is_place(const char *text)
{
        const char *colon = strchr(text, ':');

        return colon && colon != text && colon[1] && !colon[1 + strspn(colon + 1, "0123456789:")];
}

static int parse(struct line *l, char **argv)
{
        const char *v;
        bool names = false; /* only files from here on */

        for (; *argv; argv++) {
                enum output was = l->output;

                if (names || (*argv)[0] != '-' || !(*argv)[1])
                        l->files[l->n_files++] = *argv;
                else if (strcmp(*argv, "--") == 0)
                        names = true;
                else if (strcmp(*argv, "--json") == 0)
                        l->output = OUTPUT_JSON;
                else if (strcmp(*argv, "--dot") == 0)
                        l->output = OUTPUT_DOT;
                else if (strcmp(*argv, "--irrelevant") == 0)
                        l->output = OUTPUT_IRRELEVANT;
                else if (strcmp(*argv, "--published") == 0) /* the thesis has no dependence by address */
                        l->dropped = "address";
                else if ((v = value(&argv, "--why"))) {
                        l->output = OUTPUT_WHY;
                        l->why = v;
                } else if ((v = value(&argv, "--observe")))
                        l->observed[l->n_observed++] = (char *)v;
                else if ((v = value(&argv, "--final")))
                        l->called[l->n_called++] = (char *)v;
                else if (strcmp(*argv, "--why") == 0)
                        return usage("--why needs a location such as file.c:12", "");
                else
                        return usage("heddle static: unknown option ", *argv);
                if (was != OUTPUT_TEXT && l->output != was)
                        return usage("--json, --dot and --why are three outputs; give one", "");
        }
        if (l->why && !is_place(l->why))
                return usage("--why needs a location such as file.c:12, not ", l->why);
        return l->n_files ? 0
                          : usage("heddle static needs object files or a program, built with heddle cc --keep-ir", "");
}

static int print(const struct line *l, struct graph *g)
{
        if (l->output != OUTPUT_WHY && l->output != OUTPUT_IRRELEVANT)
                graph_connect(g);
        switch (l->output) {
        case OUTPUT_TEXT: print_text(stdout, g); break;
        case OUTPUT_JSON: print_json(stdout, g); break;
        case OUTPUT_DOT: print_dot(stdout, g); break;
        case OUTPUT_IRRELEVANT: places_print(stdout, g); break;
        case OUTPUT_WHY:
                if (!print_why(stdout, g, l->why))
                        return usage("no access is at ", l->why);
        }
        if (fflush(stdout) || ferror(stdout))
                return usage("cannot write to standard output", "");
        return 0;
}

static int run(const struct line *l)
{
        struct ir ir;
        struct program program;
        struct relevance relevance;
        struct graph graph;
        struct error why = {""};
        int status = ir_read(&ir, l->files, &why);

        if (status) {
                ir_fini(&ir);
                return usage(why.text, "");
        }
        if (l->contexts)
                contexts_divide(ir.module);
        solve_program(&program, &ir, l->called, MOST_WORK);
        relevance_init(&relevance, &program, l->observed, l->dropped);
        graph_init(&graph, &relevance);
        status = print(l, &graph);
        graph_fini(&graph);
        relevance_fini(&relevance);
        program_fini(&program);
        ir_fini(&ir);
        return status;
}

int main(int argc, char **argv)
{
        struct line l = {.files = calloc((size_t)argc + 1, sizeof *l.files),
                         .observed = calloc((size_t)argc + 1, sizeof *l.observed),
                         .called = calloc((size_t)argc + 1, sizeof *l.called)};
        int status;

        if (!l.files || !l.observed || !l.called)
                return STATUS_INTERNAL;
        l.dropped = getenv("HEDDLE_STATIC_DROP"); /* for tests: a kind of dependence that is left out */
        status = parse(&l, argv + 1);
        l.contexts = l.output == OUTPUT_IRRELEVANT && !l.dropped;
        if (!status)
                status = run(&l);
        free(l.files);
        free(l.observed);
        free(l.called);
        return status;
}
