/*
 * Response files, as gcc and clang read them: words are separated by white space, quotes of both kinds keep it together,
 * a backslash takes the next character as it is, inside quotes too.
 */
#include "cli/cc/response_file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NESTED   32         /* files that name each other would never end */
#define TOO_LONG (1u << 19) /* a quarter of what Linux takes by default, environment included */

/* The contents, or NULL. */
static char *read_all(const char *path)
{
        FILE *f = fopen(path, "re");
        struct stat st;
        char *text = NULL;

        if (!f)
                return NULL;
        if (fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode)) {
                text = list_alloc((size_t)st.st_size + 1);
                text[fread(text, 1, (size_t)st.st_size, f)] = '\0';
        }
        fclose(f);
        return text;
}

/* Takes the next word out of *text, unquoted in place; NULL: there is none. */
static char *next_word(char **text)
{
        char *in = *text, quote = '\0';

        while (isspace((unsigned char)*in))
                in++;
        if (!*in)
                return NULL;
        char *word = in, *out = in;
        for (; *in && (quote || !isspace((unsigned char)*in)); in++) {
                if (*in == '\\' && in[1])
                        *out++ = *++in;
                else if (quote ? *in == quote : (*in == '"' || *in == '\''))
                        quote = quote ? '\0' : *in;
                else
                        *out++ = *in;
        }
        *text = *in ? in + 1 : in;
        *out = '\0';
        return word;
}

static void add_word(struct list *out, char *word, int depth)
{
        char *text = word[0] == '@' && depth < NESTED ? read_all(word + 1) : NULL;

        if (!text) {
                list_add(out, word);
                return;
        }
        while ((word = next_word(&text)))
                add_word(out, word, depth + 1);
}

void response_expand(struct list *out, char **argv)
{
        for (; *argv; argv++)
                add_word(out, *argv, 0);
}

int response_needed(const struct list *l)
{
        size_t bytes = 0;

        for (size_t i = 0; i < l->n; i++)
                bytes += strlen(l->words[i]) + 1 + sizeof(char *);
        return bytes > TOO_LONG;
}

int response_write(const struct list *l, const char *path)
{
        FILE *f = fopen(path, "we");

        if (!f)
                return -1;
        for (size_t i = 1; i < l->n; i++) {
                fputc('"', f);
                for (const char *p = l->words[i]; *p; p++) {
                        if (*p == '"' || *p == '\\')
                                fputc('\\', f);
                        fputc(*p, f);
                }
                fputs("\"\n", f);
        }
        int bad = ferror(f);
        return fclose(f) || bad ? -1 : 0;
}
