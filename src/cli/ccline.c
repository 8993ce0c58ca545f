/*
 * Sorts the words of a compiler's command line.  What is not known is handed on as an option, which is right for every
 * option that is one word; those of two words stand in a table.
 */
#include "cli/ccline.h"

#include <string.h>

#include "cli/list.h"
#include "cli/value.h"

/* Options whose value is the next word, when they stand alone. */
static const char two_words[] =
        "-o -x -I -D -U -L -l -T -u -z -e -A -B -G -F -J -V -b -h -R -include -imacros -isystem -idirafter -iquote "
        "-iprefix -iwithprefix -iwithprefixbefore -isysroot --sysroot -imultilib -MF -MT -MQ -MJ -Xlinker -Xclang "
        "-Xassembler -Xpreprocessor -Xarch_host -mllvm -target --target -gcc-toolchain --param -aux-info -dumpbase "
        "-dumpdir -specs -wrapper -arch -framework -main-file-name -soname -rpath -dynamic-linker";

static const char endings_c[] = "c i";
static const char endings_cxx[] = "cc cpp cxx C c++ cp CPP ii";
static const char endings_assembly[] = "s S sx asm";
static const char languages[] = "c c++ cpp-output c++-cpp-output";

static const char *ending(const char *file)
{
        const char *name = strrchr(file, '/'), *dot = strrchr(name ? name : file, '.');

        return dot ? dot + 1 : "";
}

int ccline_source(const char *file)
{
        const char *end = ending(file);

        if (value_word(endings_c, end) >= 0)
                return 1;
        return value_word(endings_cxx, end) >= 0 ? 2 : 0;
}

static enum ccline_kind input_kind(const char *file, const char *language)
{
        if (language)
                return value_word(languages, language) >= 0 ? CCLINE_SOURCE : CCLINE_ASSEMBLY;
        if (value_word(endings_assembly, ending(file)) >= 0)
                return CCLINE_ASSEMBLY;
        return ccline_source(file) ? CCLINE_SOURCE : CCLINE_LINKED;
}

static void add(struct ccline *c, const char *text, enum ccline_kind kind, const char *language)
{
        c->words[c->n++] = (struct ccline_word){text, kind, language};
        if (kind == CCLINE_SOURCE)
                c->n_sources++;
        if (kind >= CCLINE_SOURCE && text[0] != '-')
                c->n_inputs++;
}

static bool two_word(const char *word)
{
        return value_word(two_words, word) >= 0;
}

static enum ccline_kind option_kind(const char *word)
{
        if (strncmp(word, "-x", 2) == 0)
                return CCLINE_LANGUAGE;
        if (strncmp(word, "-o", 2) == 0 && strncmp(word, "-objc", 5) != 0)
                return CCLINE_OUTPUT;
        if (strncmp(word, "-l", 2) == 0)
                return CCLINE_LINKED;
        return CCLINE_OPTION;
}

void ccline_parse(struct ccline *c, char **argv)
{
        static const char no_code[] = "-E -M -MM -fsyntax-only";
        const char *language = NULL;
        bool preprocess = false;
        size_t n = 0;

        while (argv[n])
                n++;
        memset(c, 0, sizeof *c);
        c->words = list_alloc((n + 1) * sizeof *c->words);
        for (size_t i = 0; i < n; i++) {
                const char *word = argv[i];
                if (word[0] != '-' || word[1] == '\0') {
                        add(c, word, input_kind(word, language), language);
                        continue;
                }
                enum ccline_kind kind = option_kind(word);
                if (strcmp(word, "-fsanitize=thread") == 0)
                        continue; /* ours takes its place */
                if (value_word(no_code, word) >= 0)
                        preprocess = true;
                if (value_word("-c -S -r", word) >= 0)
                        c->stops = true;
                if (value_word("-static -static-pie --static", word) >= 0)
                        c->is_static = true;
                add(c, word, kind, NULL);
                const char *value = word + 2;
                if (two_word(word) && argv[i + 1]) {
                        value = argv[++i];
                        add(c, value, kind, NULL);
                }
                if (kind == CCLINE_LANGUAGE)
                        language = strcmp(value, "none") == 0 ? NULL : value;
        }
        c->stops = c->stops || preprocess;
        c->compiles = c->n_sources > 0 && !preprocess;
        c->links = c->n_inputs > 0 && !c->stops;
}
