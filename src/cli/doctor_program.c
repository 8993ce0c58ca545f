/*
 * Lists the modules of a program, and of each instrumented one the sources with instructions that no compiler announces.  The
 * loader says which modules there are; the program does not run.  Libraries that it loads by dlopen are not among them.
 */
#include "cli/doctor_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "binary/asm_scan.h"
#include "binary/instrumentation.h"
#include "binary/symbols.h"
#include "cli/executable.h"
#include "cli/list.h"
#include "cli/status.h"

#define FILES 64u /* sources that are listed; the rest is counted together */

struct source {
        const char *name; /* belongs to the symbols; NULL: unknown */
        unsigned patched, unknown;
};

struct sources {
        struct symbols *symbols;
        struct source all[FILES];
        unsigned n;
};

static struct source *source_of(struct sources *s, const char *name)
{
        for (unsigned i = 0; i < s->n; i++)
                if (s->all[i].name == name || (name && s->all[i].name && strcmp(s->all[i].name, name) == 0))
                        return &s->all[i];
        if (s->n == FILES)
                return &s->all[FILES - 1];
        s->all[s->n].name = name;
        return &s->all[s->n++];
}

static void count(void *arg, const struct locked *l)
{
        struct sources *s = arg;
        struct source *f = source_of(s, s->symbols ? symbols_place(s->symbols, l->at.addr + 1).file : NULL);

        f->patched += l->known;
        f->unknown += !l->known;
}

/* 0, or -1: out of memory. */
static int list_sources(const char *path)
{
        struct wire_module module = {0};
        struct sources s = {0};
        bool stripped = false;
        int rc;

        snprintf(module.path, sizeof module.path, "%s", path);
        s.symbols = symbols_create(&module, 1);
        rc = locked_find(&(struct locked_module){.path = path}, &stripped, count, &s);
        for (unsigned i = 0; i < s.n; i++) {
                const char *name = s.all[i].name ? s.all[i].name : "(sources not known: build with -g)";

                if (s.all[i].patched)
                        printf("             %s: %u instructions that no compiler announces, watched by patching "
                               "them\n",
                               name, s.all[i].patched);
                if (s.all[i].unknown)
                        printf("             %s: %u instructions that are not understood: not covered\n", name,
                               s.all[i].unknown);
        }
        if (stripped)
                puts("             is stripped: inline assembly is not recognised");
        if (s.symbols)
                symbols_destroy(s.symbols);
        return rc;
}

static void count_foreign(void *arg, const struct locked *l)
{
        struct source *f = arg;

        f->patched += l->known;
        f->unknown += !l->known;
}

/* What is watched of a module that was not built by heddle cc.  0, or -1: out of memory. */
static int list_foreign(const char *path)
{
        struct source f = {0};
        bool stripped;

        if (locked_find(&(struct locked_module){.path = path, .foreign = true}, &stripped, count_foreign, &f))
                return -1;
        if (f.patched)
                printf("             %u locked instructions, fences and system calls, watched by patching them\n",
                       f.patched);
        if (f.unknown)
                printf("             %u locked instructions that cannot be patched: not covered\n", f.unknown);
        return 0;
}

static int list_module(const char *path)
{
        static const char *const words[] = {[WATCHED_ACCESSES] = "accesses",
                                            [WATCHED_CALLS] = "thread calls",
                                            [WATCHED_SYSTEM] = "system",
                                            [WATCHED_OWN] = "heddle"};
        enum watched watched = watched_module(path);

        printf("%-12s %s\n", words[watched], path);
        if (watched == WATCHED_CALLS)
                return list_foreign(path);
        return watched == WATCHED_ACCESSES ? list_sources(path) : 0;
}

/* The path in a line of the loader: "NAME => PATH (ADDRESS)" or "PATH (ADDRESS)"; NULL: there is none. */
static char *path_in(char *line)
{
        char *arrow = strstr(line, " => "), *p = arrow ? arrow + 4 : line + strspn(line, " \t");
        char *end = strstr(p, " (0x");

        if (!end || *p != '/')
                return NULL;
        *end = '\0';
        return p;
}

int doctor_program(const char *path)
{
        struct error why = {0};
        struct list words = {0};
        char line[4096];
        FILE *f;
        int rc;

        if (binary_check(path, &why) < 0)
                return status_usage("%s", why.text);
        list_add(&words, list_path(path));
        rc = list_module(words.words[0]);
        f = popen(list_format("LD_TRACE_LOADED_OBJECTS=1 %s 2>&1", list_quote(&words)), "re");
        while (f && rc == 0 && fgets(line, sizeof line, f)) {
                const char *module = path_in(line);

                if (strstr(line, "=> not found"))
                        printf("%-12s %s", "MISSING", line + strspn(line, " \t"));
                else if (module)
                        rc = list_module(module);
        }
        if (f)
                pclose(f);
        if (rc < 0)
                return status_internal("out of memory");
        puts("accesses: every memory access is watched.  thread calls: these and locked instructions; build it with "
             "heddle cc.\n"
             "system: what its functions do is known.  heddle: the runtime.");
        return STATUS_SAFE;
}
