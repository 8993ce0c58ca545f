/*
 * Sorts the words of a compiler's command line.  What is not known is handed on as an option, which is right for every
 * option that is one word; those of two words are in a table, so that their values are not taken for inputs.
 *
 * Not handed on: -fsanitize=thread, whose place ours takes, and the options of link-time optimization,
 * which would put the instrumentation off until a link that does not know of it.
 */
#include "cli/cc/cc_line.h"

#include <string.h>

#include "cli/option/value.h"

/* Options whose value is the next word, when they are alone. */
static const char two_words[] =
        "-o -x -I -D -U -L -l -T -u -z -e -A -B -G -F -J -V -b -h -R -include -imacros -isystem -idirafter -iquote "
        "-iprefix -iwithprefix -iwithprefixbefore -isysroot --sysroot -imultilib -MF -MT -MQ -MJ -Xlinker -Xclang "
        "-Xassembler -Xpreprocessor -Xarch_host -mllvm -target --target -gcc-toolchain --param -aux-info -dumpbase "
        "-dumpdir -dumpbase-ext -specs -wrapper -arch -framework -main-file-name -soname -rpath -dynamic-linker "
        "--output --language --include --include-directory --library-directory";

static const char endings_c[] = "c";
static const char endings_cxx[] = "cc cpp cxx C c++ cp CPP";
static const char endings_preprocessed[] = "i ii";
static const char endings_assembly[] = "s S sx asm";
static const char endings_header[] = "h hh H hp hxx hpp HPP h++ tcc";
static const char endings_linked[] = "o a so";

/* Endings and names for -x too: */
enum input {
        INPUT_LINKED,
        INPUT_SOURCE,
        INPUT_PREPROCESSED,
        INPUT_HEADER, /* becomes a precompiled one */
        INPUT_ASSEMBLY,
};

static const char *ending(const char *file)
{
        const char *name = strrchr(file, '/'), *dot = strrchr(name ? name : file, '.');

        return dot ? dot + 1 : "";
}

int ccline_source(const char *file)
{
        const char *end = ending(file);

        if (value_word(endings_c, end) >= 0 || strcmp(end, "i") == 0)
                return 1;
        return value_word(endings_cxx, end) >= 0 || strcmp(end, "ii") == 0 ? 2 : 0;
}

bool ccline_beside(const char *file)
{
        return value_word(endings_linked, ending(file)) >= 0 || value_word(endings_assembly, ending(file)) >= 0 ||
               strstr(file, ".so.") != NULL;
}

static enum input input_by_language(const char *language)
{
        static const char *const names[] = {
                [INPUT_SOURCE] = "c c++",
                [INPUT_PREPROCESSED] = "cpp-output c++-cpp-output",
                [INPUT_HEADER] = "c-header c++-header cpp-header hpp",
        };

        for (int i = INPUT_SOURCE; i <= INPUT_HEADER; i++)
                if (value_word(names[i], language) >= 0)
                        return (enum input)i;
        return INPUT_ASSEMBLY;
}

static enum input input_by_ending(const char *file)
{
        const char *end = ending(file);

        if (value_word(endings_c, end) >= 0 || value_word(endings_cxx, end) >= 0)
                return INPUT_SOURCE;
        if (value_word(endings_preprocessed, end) >= 0)
                return INPUT_PREPROCESSED;
        if (value_word(endings_header, end) >= 0)
                return INPUT_HEADER;
        /* Standard input has no ending; without -x it can only be preprocessed. */
        if (value_word(endings_assembly, end) >= 0)
                return INPUT_ASSEMBLY;
        return strcmp(file, "-") == 0 ? INPUT_SOURCE : INPUT_LINKED;
}

static bool begins(const char *word, const char *with)
{
        return strncmp(word, with, strlen(with)) == 0;
}

/* -fsanitize=LIST: takes `thread` out of it.  Returns what is left, or NULL. */
static const char *take_sanitizers(struct ccline *c, const char *word)
{
        static const char never[] =
                "address hwaddress kernel-address kernel-hwaddress memory kernel-memory leak dataflow "
                "safe-stack cfi";
        const char *list = strchr(word, '=') + 1;
        char *rest = list_format("-fsanitize="), *sep = "";

        for (size_t n; *list; list += n + (list[n] == ',')) {
                n = strcspn(list, ",");
                char *one = list_format("%.*s", (int)n, list);
                if (strcmp(one, "thread") == 0) {
                        c->plain = false;
                        continue;
                }
                if (value_word(never, one) >= 0)
                        c->refused = list_format("-fsanitize=%s and heddle cannot be combined in one program; leave it "
                                                 "out here, and make a build of its own for it",
                                                 one);
                rest = list_format("%s%s%s", rest, sep, one);
                sep = ",";
        }
        return *sep ? rest : NULL;
}

/* What is handed on in place of an option that stands for one word; NULL: nothing. */
static const char *take_option(struct ccline *c, const char *word)
{
        if (begins(word, "-fsanitize="))
                return take_sanitizers(c, word);
        if (strcmp(word, "-fno-sanitize=thread") == 0 || strcmp(word, "-fno-sanitize=all") == 0)
                c->plain = true;
        if (begins(word, "-masm="))
                c->intel = strcmp(word, "-masm=intel") == 0;
        if (value_word("-m32 -mx32 -m16", word) >= 0)
                c->refused = list_format("%s: heddle supports 64-bit programs only; leave it out", word);
        if (strcmp(word, "-fgnu-tm") == 0)
                c->refused =
                        list_format("-fgnu-tm: transactions of libitm are not supported; use locks, or those of the "
                                    "processor (_xbegin)");
        if (begins(word, "-flto") || value_word("-fwhole-program-vtables -fvirtual-function-elimination", word) >= 0)
                return NULL;
        return word;
}

void ccline_parse(struct ccline *c, char **argv)
{
        static const char no_link[] = "-c -S -r -E -M -MM -fsyntax-only --compile --assemble --preprocess "
                                      "--dependencies --user-dependencies --precompile -emit-ast --analyze";
        const char *language = NULL, *is_static = NULL;
        bool input = false, stops = false;

        memset(c, 0, sizeof *c);
        for (size_t i = 0; argv[i]; i++) {
                const char *word = argv[i];
                if (word[0] != '-' || word[1] == '\0') {
                        enum input kind = language ? input_by_language(language) : input_by_ending(word);
                        input = true;
                        c->compiles |= kind >= INPUT_SOURCE && kind <= INPUT_HEADER;
                        c->preprocesses |= kind == INPUT_SOURCE || kind == INPUT_HEADER;
                        stops |= kind == INPUT_HEADER;
                        list_add(&c->words, word);
                        continue;
                }
                stops |= value_word(no_link, word) >= 0;
                input |= begins(word, "-l") || begins(word, "-Wl,") || strcmp(word, "-Xlinker") == 0;
                if (value_word("-static -static-pie --static", word) >= 0)
                        is_static = word;
                word = take_option(c, word);
                if (!word)
                        continue;
                list_add(&c->words, word);
                const char *value = word + 2;
                if (value_word(two_words, word) >= 0 && argv[i + 1])
                        list_add(&c->words, value = argv[++i]);
                if (begins(word, "-x"))
                        language = strcmp(value, "none") == 0 ? NULL : value;
        }
        c->links = input && !stops;
        if (is_static && c->links)
                c->refused = list_format("a statically linked program cannot be checked; leave %s out", is_static);
        if (!c->compiles && !c->links)
                c->refused = NULL; /* a question, or assembly */
}
