/* Source text, read once per file.  Files above MAX_SOURCE bytes are not read. */
#include "report/cause/source.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SOURCE (4u << 20)

struct source_file {
        char *path;
        char *text;        /* lines are terminated in it; NULL: it cannot be read */
        VEC(char *) lines; /* in the text */
};

static char *read_all(const char *path)
{
        FILE *f = fopen(path, "re");
        char *text = f ? malloc(MAX_SOURCE + 1) : NULL;
        size_t n = text ? fread(text, 1, MAX_SOURCE + 1, f) : 0;

        if (f)
                fclose(f);
        if (!text || n > MAX_SOURCE || memchr(text, 0, n)) {
                free(text);
                return NULL;
        }
        text[n] = 0;
        return text;
}

static struct source_file *open_file(struct sources *s, const char *path)
{
        struct source_file *f = calloc(1, sizeof *f);

        if (!f || !(f->path = strdup(path)) || !vec_reserve(&s->files, 1)) {
                free(f ? f->path : NULL);
                free(f);
                return NULL;
        }
        *vec_push(&s->files) = f;
        f->text = read_all(path);
        for (char *at = f->text; at && *at;) {
                char *end = strchr(at, '\n');
                if (!vec_reserve(&f->lines, 1))
                        break;
                *vec_push(&f->lines) = at;
                if (!end)
                        break;
                *end = 0;
                at = end + 1;
        }
        return f;
}

void sources_fini(struct sources *s)
{
        for (uint32_t i = 0; i < s->files.n; i++) {
                vec_fini(&s->files.at[i]->lines);
                free(s->files.at[i]->text);
                free(s->files.at[i]->path);
                free(s->files.at[i]);
        }
        vec_fini(&s->files);
}

const char *source_line(struct sources *s, const char *file, uint32_t line)
{
        struct source_file *f = NULL;

        if (!file || !line)
                return NULL;
        for (uint32_t i = 0; i < s->files.n && !f; i++)
                if (strcmp(s->files.at[i]->path, file) == 0)
                        f = s->files.at[i];
        if (!f)
                f = open_file(s, file);
        return f && line <= f->lines.n ? f->lines.at[line - 1] : NULL;
}

static bool is_word(char c)
{
        return isalnum((unsigned char)c) || c == '_';
}

/* The next identifier at or after *at outside of literals and comments; its length, *at is its start.  0: none. */
static size_t next_name(const char **at)
{
        const char *p = *at;

        while (*p) {
                size_t n = 0;
                if (p[0] == '/' && p[1] == '/')
                        break;
                if (*p == '"' || *p == '\'') {
                        const char quote = *p++;
                        while (*p && *p != quote)
                                p += p[0] == '\\' && p[1] ? 2 : 1;
                        p += *p != 0;
                        continue;
                }
                while (is_word(p[n]))
                        n++;
                if (n && !isdigit((unsigned char)*p)) {
                        *at = p;
                        return n;
                }
                p += n ? n : 1;
        }
        *at = p;
        return 0;
}

static const char *skip_space(const char *p)
{
        while (*p == ' ' || *p == '\t')
                p++;
        return p;
}

static bool is_field(const char *line, const char *name)
{
        return name > line && (name[-1] == '.' || (name - line > 1 && name[-1] == '>' && name[-2] == '-'));
}

static bool is_keyword(const char *name, size_t n)
{
        static const char *const words[] = {"if",   "else",   "while",  "for",    "do",       "switch", "case",
                                            "int",  "long",   "char",   "short",  "unsigned", "const",  "static",
                                            "void", "struct", "return", "sizeof", "volatile", "assert", "bool",
                                            "auto", "NULL",   "true",   "false",  "nullptr",  "_Bool",  "size_t"};

        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
                if (strlen(words[i]) == n && memcmp(words[i], name, n) == 0)
                        return true;
        return false;
}

static bool has_name(const struct source_names *names, const char *name, size_t n)
{
        for (uint32_t i = 0; i < names->n; i++)
                if (strlen(names->at[i]) == n && memcmp(names->at[i], name, n) == 0)
                        return true;
        return false;
}

uint32_t source_names_add(struct source_names *names, const char *text)
{
        uint32_t before = names->n;
        const char *p = text;

        for (size_t n; (n = next_name(&p)) > 0; p += n) {
                if (n >= SOURCE_NAME || names->n == SOURCE_NAMES || *skip_space(p + n) == '(' || is_field(text, p) ||
                    is_keyword(p, n) || has_name(names, p, n))
                        continue;
                memcpy(names->at[names->n], p, n);
                names->at[names->n++][n] = 0;
        }
        return names->n - before;
}

/* The text behind an assignment to the name that ends at p: "= text", "+= text", "++". */
static const char *assigned(const char *p)
{
        static const char *const ops[] = {"+=", "-=", "*=", "/=", "|=", "&=", "^=", "%=", "<<=", ">>=", "++", "--"};

        p = skip_space(p);
        while (*p == '[') {
                const char *close = strchr(p, ']');
                if (!close)
                        return NULL;
                p = skip_space(close + 1);
        }
        if (p[0] == '=' && p[1] != '=')
                return p + 1;
        for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
                if (strncmp(p, ops[i], strlen(ops[i])) == 0)
                        return p + strlen(ops[i]);
        return NULL;
}

const char *source_assigns(const char *line, const struct source_names *names)
{
        const char *p = line;

        for (size_t n; (n = next_name(&p)) > 0; p += n) {
                const char *value;
                if (is_field(line, p) || !has_name(names, p, n))
                        continue;
                value = assigned(p + n);
                if (value)
                        return value;
                if (p > line && p[-1] == '&' && (p - line < 2 || p[-2] != '&')) /* f(&name) */
                        return p + n;
                if (p - line >= 2 && (memcmp(p - 2, "++", 2) == 0 || memcmp(p - 2, "--", 2) == 0))
                        return p + n;
        }
        return NULL;
}

static bool has_word(const char *line, const char *const *words, size_t n_words)
{
        const char *p = line;

        for (size_t n; (n = next_name(&p)) > 0; p += n)
                for (size_t i = 0; i < n_words; i++)
                        if (strlen(words[i]) == n && memcmp(words[i], p, n) == 0)
                                return true;
        return false;
}

bool source_decides(const char *line)
{
        static const char *const words[] = {"if", "while", "for", "switch", "assert"};

        return source_indent(line) != UINT32_MAX &&
               (has_word(line, words, sizeof words / sizeof *words) || strchr(line, '?'));
}

bool source_leaves(const char *line)
{
        static const char *const words[] = {"return", "break", "continue", "goto"};

        return has_word(line, words, sizeof words / sizeof *words);
}

uint32_t source_indent(const char *line)
{
        uint32_t n = 0;

        for (; *line == ' ' || *line == '\t'; line++)
                n += *line == '\t' ? 8 - n % 8 : 1;
        return *line && *line != '#' ? n : UINT32_MAX;
}
