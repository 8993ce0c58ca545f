/*
 * The site table of a module: what the instrumenter knew of each access (src/instrument/sites.cc, docs/FORMATS.md).
 *
 * The section .debug_heddle_sites has a line for each record, of all objects one after the other.  A record is found by
 * file, line, column and kind, which the line table of DWARF gives for a call of a hook.  Where several records fit and
 * differ (a macro), there is no answer: a report never shows an expression that is not the one.
 */
#include <dwarf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "base/vec.h"
#include "binary/modules.h"
#include "binary/symbols.h"

struct sites {
        char *text; /* of the section, cut into strings; records point into it */
        VEC(struct site_record) records;
};

void sites_destroy(struct sites *t)
{
        if (!t)
                return;
        vec_fini(&t->records);
        free(t->text);
        free(t);
}

int sites_compare(const struct site_record *a, const struct site_record *b)
{
        int file = strcmp(a->file, b->file);

        if (file)
                return file;
        if (a->line != b->line)
                return a->line < b->line ? -1 : 1;
        if (a->column != b->column)
                return a->column < b->column ? -1 : 1;
        return a->what < b->what ? -1 : a->what > b->what;
}

static int by_place(const void *a, const void *b)
{
        return sites_compare(a, b);
}

/* The next word of a line, which ends at `end`: the string is cut there. */
static char *word(char **at, char end)
{
        char *from = *at, *to = strchr(from, end);

        if (!to)
                return NULL;
        *to = 0;
        *at = to + 1;
        return from;
}

/* "F name": the file of the records that follow.  "f name": their function.  Else "what line column block text". */
static bool take_line(struct sites *t, char *line, const char **file, const char **function)
{
        struct site_record r = {.what = line[0]};
        char *rest = line + 2, *number;

        if (!line[0] || line[1] != ' ')
                return true;
        if (line[0] == 'F' || line[0] == 'f') {
                *(line[0] == 'F' ? file : function) = rest;
                return true;
        }
        uint32_t *const numbers[] = {&r.line, &r.column, &r.block};
        for (int i = 0; i < 3; i++) {
                if (!(number = word(&rest, ' ')))
                        return true;
                *numbers[i] = (uint32_t)strtoul(number, NULL, 10);
        }
        r.file = *file;
        r.function = *function;
        r.text = rest;
        if (!vec_reserve(&t->records, 1))
                return false;
        *vec_push(&t->records) = r;
        return true;
}

static void parse(struct sites *t)
{
        const char *file = "", *function = "";

        for (char *at = t->text, *line; at && (line = word(&at, '\n'));)
                if (!take_line(t, line, &file, &function))
                        return;
        if (t->records.n)
                qsort(t->records.at, t->records.n, sizeof *t->records.at, by_place);
}

static char *section_text(Elf *elf)
{
        size_t names;

        if (!elf || elf_getshdrstrndx(elf, &names))
                return NULL;
        for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
                GElf_Shdr header;
                const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
                Elf_Data *data;

                if (!name || strcmp(name, ".debug_heddle_sites") != 0)
                        continue;
                if (header.sh_flags & SHF_COMPRESSED)
                        (void)elf_compress(section, 0, 0);
                data = elf_getdata(section, NULL);
                return data && data->d_buf ? strndup(data->d_buf, data->d_size) : NULL;
        }
        return NULL;
}

static struct sites *read_sites(Dwfl_Module *m)
{
        struct sites *t = calloc(1, sizeof *t);
        GElf_Addr bias;

        if (!t)
                return NULL;
        t->text = section_text(dwfl_module_getelf(m, &bias));
        if (t->text)
                parse(t);
        return t;
}

static struct sites *sites_of(struct symbols *s, Dwfl_Module *m)
{
        for (uint32_t i = 0; i < s->n_modules; i++) {
                if (s->modules[i].dwfl != m)
                        continue;
                if (!s->modules[i].sites)
                        s->modules[i].sites = read_sites(m);
                return s->modules[i].sites;
        }
        return NULL;
}

/* File, line and column of a call site. */
static bool place_of(Dwfl_Module *m, uint64_t site, struct site_record *key)
{
        Dwarf_Addr bias = 0;
        Dwarf_Die *cu = module_unit(m, site - 1, &bias);
        Dwarf_Line *at = cu ? dwarf_getsrc_die(cu, site - 1 - bias) : NULL;
        const char *path = at ? dwarf_linesrc(at, NULL, NULL) : NULL, *slash = path ? strrchr(path, '/') : NULL;
        int line, column;

        if (!path || dwarf_lineno(at, &line) || dwarf_linecol(at, &column) || line <= 0 || column <= 0)
                return false;
        key->file = slash ? slash + 1 : path;
        key->line = (uint32_t)line;
        key->column = (uint32_t)column;
        return true;
}

bool symbols_site(struct symbols *s, uint64_t site, const char **file, uint32_t *line, uint32_t *column)
{
        Dwfl_Module *m = s->dwfl ? dwfl_addrmodule(s->dwfl, site - 1) : NULL;
        struct site_record at;

        if (!m || !s->n_modules || s->modules[0].dwfl != m || !place_of(m, site, &at))
                return false;
        *file = at.file;
        *line = at.line;
        *column = at.column;
        return true;
}

const struct site_record *sites_find(struct symbols *s, uint64_t site, char what)
{
        Dwfl_Module *m = s->dwfl ? dwfl_addrmodule(s->dwfl, site - 1) : NULL;
        const struct sites *t = m ? sites_of(s, m) : NULL;
        struct site_record key = {.what = what};
        uint32_t at;

        if (!t || !t->records.n || !place_of(m, site, &key))
                return NULL;
        at = SEARCH(i, t->records.n, sites_compare(&t->records.at[i], &key) < 0);
        if (at == t->records.n || sites_compare(&t->records.at[at], &key))
                return NULL;
        for (uint32_t i = at + 1; i < t->records.n && !sites_compare(&t->records.at[i], &key); i++)
                if (strcmp(t->records.at[i].text, t->records.at[at].text) != 0)
                        return NULL;
        return t->records.at[at].text[0] ? &t->records.at[at] : NULL;
}

const char *symbols_expression(struct symbols *s, uint64_t site, bool write)
{
        char *text = ptrmap_find(&s->expressions, 2 * site + write);

        if (!text) {
                const struct site_record *r = sites_find(s, site, write ? 'w' : 'r');
                text = strdup(r ? r->text : "");
                if (!text || ptrmap_insert(&s->expressions, 2 * site + write, text)) {
                        free(text);
                        return NULL;
                }
        }
        return text[0] ? text : NULL;
}
