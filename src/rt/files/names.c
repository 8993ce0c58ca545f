/*
 * See names.h.
 *
 * Entries are only appended within an execution; a name that changes keeps its entry.  The lists by hash are in descending order,
 * so putting back is cutting them.
 */
#include "rt/files/names.h"

#include "rt/map.h"
#include "rt/rt.h"
#include "rt/sched/end.h"
#include "rt/util.h"

#define LISTS     1024u
#define MAX_NAMES (1u << 16)
#define MAX_TEXT  ((size_t)64 << 20)

struct name {
        uint32_t text, hash;
        uint32_t next; /* in its list, + 1 */
        int node;
};

static struct name *names;
static char *texts;
static uint32_t n_names, n_saved, lists[LISTS];
static size_t n_text = 1, n_text_saved = 1; /* place 0 is the empty string */
static int *saved;                          /* nodes of the first n_saved */

static uint32_t hash_of(const char *s)
{
        uint32_t h = 2166136261u;

        while (*s)
                h = (h ^ (unsigned char)*s++) * 16777619u;
        return h ^ h >> 15;
}

static bool same(const char *a, const char *b)
{
        while (*a && *a == *b) {
                a++;
                b++;
        }
        return *a == *b;
}

uint32_t names_text(const char *text)
{
        size_t at = n_text, i = 0;

        if (!texts)
                texts = rt_map(MAX_TEXT);
        do {
                if (n_text == MAX_TEXT)
                        exec_end_text(WIRE_END_UNSUPPORTED, 0, "more than 64 MiB of file names in one execution");
                texts[n_text++] = text[i];
        } while (text[i++]);
        return (uint32_t)at;
}

const char *names_text_at(uint32_t place)
{
        return place ? texts + place : "";
}

static struct name *find(const char *path, uint32_t hash)
{
        for (uint32_t i = lists[hash % LISTS]; i; i = names[i - 1].next)
                if (names[i - 1].hash == hash && same(texts + names[i - 1].text, path))
                        return &names[i - 1];
        return NULL;
}

bool names_find(const char *path, int *node)
{
        const struct name *n = n_names ? find(path, hash_of(path)) : NULL;

        if (n)
                *node = n->node;
        return n != NULL;
}

void names_set(const char *path, int node)
{
        uint32_t hash = hash_of(path);
        struct name *n = find(path, hash);

        if (!names)
                names = rt_map(MAX_NAMES * sizeof *names);
        if (!n) {
                if (n_names == MAX_NAMES)
                        exec_end_text(WIRE_END_UNSUPPORTED, 0,
                                      "more than 65536 names of files that one execution makes or removes");
                n = &names[n_names++];
                *n = (struct name){.text = names_text(path), .hash = hash, .next = lists[hash % LISTS]};
                lists[hash % LISTS] = n_names;
        }
        n->node = node;
}

uint32_t names_of(int node)
{
        uint32_t count = 0;

        for (uint32_t i = 0; i < n_names; i++)
                count += names[i].node == node;
        return count;
}

void names_each(void (*f)(void *arg, const char *path), void *arg)
{
        for (uint32_t i = 0; i < n_names; i++)
                f(arg, texts + names[i].text);
}

bool names_any(void)
{
        return n_names != 0;
}

/* What follows the directory in the path, NULL: it is not below. */
static const char *below(const char *path, const char *dir)
{
        while (*dir && *path == *dir) {
                path++;
                dir++;
        }
        return *dir || *path != '/' ? NULL : path + 1;
}

void names_each_in(const char *dir, void (*f)(void *arg, const char *last, int node), void *arg)
{
        for (uint32_t i = 0; i < n_names; i++) {
                const char *last = below(texts + names[i].text, dir), *p = last;

                while (p && *p && *p != '/')
                        p++;
                if (p && !*p)
                        f(arg, last, names[i].node);
        }
}

void names_move(const char *from, const char *to)
{
        static char path[4096];

        for (uint32_t i = 0, n = n_names; i < n; i++) {
                const char *rest = below(texts + names[i].text, from);

                if (!rest)
                        continue;
                rt_format(path, sizeof path, "%s/%s", to, rest);
                names_set(path, names[i].node);
                names[i].node = NAME_GONE;
        }
}

void names_save(void)
{
        n_saved = n_names;
        n_text_saved = n_text;
        saved = rt_map((n_names + 1) * sizeof *saved);
        for (uint32_t i = 0; i < n_names; i++)
                saved[i] = names[i].node;
}

void names_restore(void)
{
        while (n_names > n_saved) {
                const struct name *n = &names[--n_names];
                lists[n->hash % LISTS] = n->next;
        }
        n_text = n_text_saved;
        for (uint32_t i = 0; i < n_names; i++)
                names[i].node = saved[i];
}
