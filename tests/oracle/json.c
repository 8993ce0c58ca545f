/* A reader of JSON, by recursive descent; escapes in strings are left as they are. */
#include "json.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void skip(const char **s)
{
        while (isspace((unsigned char)**s))
                ++*s;
}

static char *string(const char **s)
{
        const char *from = ++*s;
        while (**s && **s != '"')
                *s += **s == '\\' && (*s)[1] ? 2 : 1;
        if (**s != '"')
                return NULL;
        return strndup(from, (size_t)((*s)++ - from));
}

static struct json *value(const char **s);

/* The members of an object or array, up to its closing bracket. */
static int members(struct json *j, const char **s)
{
        char close = j->type == '{' ? '}' : ']';
        struct json **tail = &j->first;
        ++*s;
        for (skip(s); **s != close; skip(s)) {
                char *key = NULL;
                if (j->first) {
                        if (**s != ',')
                                return -1;
                        ++*s;
                        skip(s);
                }
                if (j->type == '{') {
                        if (**s != '"' || !(key = string(s)))
                                return -1;
                        skip(s);
                        if (**s != ':') {
                                free(key);
                                return -1;
                        }
                        ++*s;
                }
                if (!(*tail = value(s))) {
                        free(key);
                        return -1;
                }
                (*tail)->key = key;
                tail = &(*tail)->next;
        }
        ++*s;
        return 0;
}

static struct json *value(const char **s)
{
        skip(s);
        struct json *j = calloc(1, sizeof(*j));
        if (!j)
                return NULL;
        j->type = strchr("{[\"", **s) && **s ? **s : 'v';
        if (j->type == '"') {
                j->text = string(s);
        } else if (j->type == 'v') {
                size_t n = strcspn(*s, ",]} \t\r\n");
                j->text = n ? strndup(*s, n) : NULL;
                *s += n;
        } else if (members(j, s) == 0) {
                return j;
        }
        if (j->text)
                return j;
        json_free(j);
        return NULL;
}

struct json *json_parse(const char *text)
{
        struct json *j = value(&text);
        if (j) {
                skip(&text);
                if (*text == '\0')
                        return j;
        }
        json_free(j);
        return NULL;
}

void json_free(struct json *j)
{
        while (j) {
                struct json *next = j->next;
                json_free(j->first);
                free(j->key);
                free(j->text);
                free(j);
                j = next;
        }
}

const struct json *json_get(const struct json *j, const char *key)
{
        if (!j || j->type != '{')
                return NULL;
        for (const struct json *m = j->first; m; m = m->next)
                if (strcmp(m->key, key) == 0)
                        return m;
        return NULL;
}

const char *json_text(const struct json *j, const char *key)
{
        const struct json *m = json_get(j, key);
        return m && m->text ? m->text : "";
}
