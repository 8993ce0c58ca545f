/*
 * Places in the source for addresses, through libdwfl.
 *
 * A call site is the return address of a hook, so the instruction looked up is the one before it.  Inlined functions
 * are the scopes around that instruction, from the inside out; the line of each but the innermost is where it calls
 * the next.  Compilation units are also searched one by one, because clang writes no address table.  Every answer is
 * kept: reports ask for the same few sites again and again.
 */
#include "binary/symbols.h"

#include <dwarf.h>
#include <inttypes.h>
#include <libiberty/demangle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "binary/modules.h"

#define MAX_FRAMES 32

struct frames {
        uint32_t n;
        struct symbols_frame frame[MAX_FRAMES];
        char *owned[2 * MAX_FRAMES]; /* strings of ours among those in `frame` */
        uint32_t n_owned;
};

static const Dwfl_Callbacks callbacks = {
        .find_elf = dwfl_build_id_find_elf,
        .find_debuginfo = dwfl_standard_find_debuginfo,
        .section_address = dwfl_offline_section_address,
};

/* There is room for one more. */
static void report_module(struct symbols *s, const struct wire_module *module)
{
        const char *path = module->path;
        struct stat st;
        Dwfl_Module *m;

        /* The path comes from the target: only a regular file is opened. */
        if (stat(path, &st) || !S_ISREG(st.st_mode))
                return;
        m = dwfl_report_elf(s->dwfl, path, path, -1, module->base, true);
        if (m)
                s->modules[s->n_modules++].dwfl = m;
}

struct symbols *symbols_create(const struct wire_module *modules, uint32_t n)
{
        struct symbols *s = calloc(1, sizeof(*s));

        if (!s)
                return NULL;
        s->modules = calloc(n ? n : 1, sizeof(*s->modules));
        s->dwfl = dwfl_begin(&callbacks);
        if (!s->modules || !s->dwfl) {
                symbols_destroy(s);
                return NULL;
        }
        dwfl_report_begin(s->dwfl);
        for (uint32_t i = 0; i < n; i++)
                report_module(s, &modules[i]);
        dwfl_report_end(s->dwfl, NULL, NULL);
        return s;
}

bool symbols_add(struct symbols *s, const struct wire_module *module)
{
        struct module *all = realloc(s->modules, (s->n_modules + 1) * sizeof *all);

        if (!all)
                return false;
        memset(&all[s->n_modules], 0, sizeof *all);
        s->modules = all;
        dwfl_report_begin_add(s->dwfl);
        report_module(s, module);
        dwfl_report_end(s->dwfl, NULL, NULL);
        return true;
}

static void free_frames(void *p)
{
        struct frames *f = p;

        for (uint32_t i = 0; i < f->n_owned; i++)
                free(f->owned[i]);
        free(f);
}

void symbols_destroy(struct symbols *s)
{
        if (!s)
                return;
        for (uint32_t i = 0; i < s->n_modules; i++)
                module_fini(&s->modules[i]);
        ptrmap_fini(&s->frames, free_frames);
        ptrmap_fini(&s->data, free);
        locals_fini(&s->locals);
        heap_names_fini(&s->heap);
        ptrmap_fini(&s->expressions, free);
        ptrmap_fini(&s->functions, free);
        if (s->dwfl)
                dwfl_end(s->dwfl);
        free(s->modules);
        free(s);
}

/* Cuts the parameter list off a demangled function; other names (of tables, say) do not end with one. */
static void cut_parameters(char *name)
{
        char *end = strrchr(name, ')');
        int depth = 0;

        if (!end || (end[1] && strcmp(end, ") const") != 0))
                return;
        for (char *p = end; p > name; p--) {
                depth += *p == ')';
                depth -= *p == '(';
                if (depth == 0) {
                        *p = 0;
                        return;
                }
        }
}

/* "<core::cell::Cell<T> as core::fmt::Debug>::fmt" is core::cell::Cell<T>::fmt. */
static void cut_trait(char *name)
{
        int depth = 0;
        size_t end = 0, of = 0;

        for (; name[end]; end++) {
                depth += (name[end] == '<') - (name[end] == '>' && end && name[end - 1] != '-');
                if (depth == 1 && !of && strncmp(name + end, " as ", 4) == 0)
                        of = end;
                if (depth == 0)
                        break;
        }
        if (name[0] != '<' || !name[end])
                return;
        of = of ? of : end;
        memmove(name, name + 1, of - 1);
        memmove(name + of - 1, name + end + 1, strlen(name + end + 1) + 1);
}

/* Demangled, of C++ or Rust; NULL: it is neither. */
static char *demangled(const char *name)
{
        char *plain = rust_demangle(name, DMGL_NO_OPTS);

        if (plain) {
                cut_trait(plain);
                return plain;
        }
        plain = strncmp(name, "_Z", 2) == 0 ? cplus_demangle_v3(name, DMGL_PARAMS | DMGL_ANSI) : NULL;
        if (plain)
                cut_parameters(plain);
        return plain;
}

char *symbols_pretty(const char *name)
{
        char *plain = demangled(name);

        return plain ? plain : strndup(name, strcspn(name, "@"));
}

static const char *own(struct frames *f, char *string)
{
        if (string)
                f->owned[f->n_owned++] = string;
        return string;
}

static const char *attr_string(Dwarf_Die *die, unsigned name)
{
        Dwarf_Attribute attr;

        return dwarf_formstring(dwarf_attr_integrate(die, name, &attr));
}

/* Shortens a path to what is below the directory it was compiled in. */
static const char *short_path(Dwarf_Die *cu, const char *path)
{
        const char *dir = attr_string(cu, DW_AT_comp_dir);

        if (!path || !dir)
                return path;
        size_t n = strlen(dir);
        if (n > 1 && strncmp(path, dir, n) == 0 && path[n] == '/') {
                path += n;
                while (*path == '/')
                        path++;
        }
        while (strncmp(path, "./", 2) == 0)
                path += 2;
        return path;
}

bool module_is_runtime(Dwfl_Module *m)
{
        const char *path = dwfl_module_info(m, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

        return path && strstr(path, "libheddle-rt");
}

Dwarf_Die *module_unit(Dwfl_Module *m, uint64_t pc, Dwarf_Addr *bias)
{
        Dwarf_Die *cu = dwfl_module_addrdie(m, pc, bias);

        /* Where only some units have a table, the answer may be the unit before the right one. */
        if (cu && dwarf_haspc(cu, pc - *bias) > 0)
                return cu;
        cu = NULL;
        while ((cu = dwfl_module_nextcu(m, cu, bias)))
                if (dwarf_haspc(cu, pc - *bias) > 0)
                        return cu;
        return NULL;
}

static const char *scope_name(struct frames *f, Dwarf_Die *scope)
{
        const char *linkage = attr_string(scope, DW_AT_linkage_name);
        const char *name = dwarf_diename(scope);

        if (linkage && (strncmp(linkage, "_Z", 2) == 0 || strncmp(linkage, "_R", 2) == 0))
                return own(f, symbols_pretty(linkage));
        return name ? name : linkage;
}

/* Where an inlined function was called from. */
static void call_place(Dwarf_Die *cu, Dwarf_Die *scope, const char **file, uint32_t *line)
{
        Dwarf_Attribute attr;
        Dwarf_Word n;
        Dwarf_Files *files;
        size_t n_files;

        *file = NULL;
        *line = 0;
        if (dwarf_formudata(dwarf_attr(scope, DW_AT_call_line, &attr), &n) == 0)
                *line = (uint32_t)n;
        if (dwarf_formudata(dwarf_attr(scope, DW_AT_call_file, &attr), &n) == 0 &&
            dwarf_getsrcfiles(cu, &files, &n_files) == 0 && n < n_files)
                *file = short_path(cu, dwarf_filesrc(files, n, NULL, NULL));
}

static void add_frame(struct frames *f, const char *function, const char *file, uint32_t line, bool inlined)
{
        if (f->n < MAX_FRAMES && function)
                f->frame[f->n++] = (struct symbols_frame){
                        .function = function, .file = line ? file : NULL, .line = file ? line : 0, .inlined = inlined};
}

static void add_scopes(struct frames *f, Dwarf_Die *cu, uint64_t pc)
{
        Dwarf_Line *at = dwarf_getsrc_die(cu, pc);
        const char *file = at ? short_path(cu, dwarf_linesrc(at, NULL, NULL)) : NULL;
        int number = 0;
        Dwarf_Die *inner = NULL, *scopes = NULL;

        if (at && dwarf_lineno(at, &number))
                number = 0;
        uint32_t line = number > 0 ? (uint32_t)number : 0;
        /* The scopes of an inlined body lead to where it was written; those of its DIE, to where it is. */
        if (dwarf_getscopes(cu, pc, &inner) <= 0)
                return;
        int n = dwarf_getscopes_die(&inner[0], &scopes);
        for (int i = 0; i < n && f->n < MAX_FRAMES; i++) {
                int tag = dwarf_tag(&scopes[i]);
                if (tag == DW_TAG_inlined_subroutine) {
                        add_frame(f, scope_name(f, &scopes[i]), file, line, true);
                        call_place(cu, &scopes[i], &file, &line);
                } else if (tag == DW_TAG_subprogram) {
                        add_frame(f, scope_name(f, &scopes[i]), file, line, false);
                        break;
                }
        }
        free(inner);
        free(scopes);
}

static void find_frames(struct symbols *s, struct frames *f, uint64_t pc)
{
        Dwfl_Module *m = dwfl_addrmodule(s->dwfl, pc);

        if (m) {
                Dwarf_Addr bias = 0;
                Dwarf_Die *cu = module_unit(m, pc, &bias);
                if (cu)
                        add_scopes(f, cu, pc - bias);
                bool runtime = module_is_runtime(m);
                for (uint32_t i = 0; i < f->n; i++)
                        f->frame[i].runtime = runtime;
                if (!f->n) {
                        const char *name = dwfl_module_addrname(m, pc);
                        if (name)
                                add_frame(f, own(f, symbols_pretty(name)), NULL, 0, false);
                }
        }
        if (!f->n) {
                char text[32];
                snprintf(text, sizeof(text), "0x%" PRIx64, pc + 1);
                const char *name = own(f, strdup(text));
                add_frame(f, name ? name : "?", NULL, 0, false);
        }
}

uint32_t symbols_frames(struct symbols *s, uint64_t site, const struct symbols_frame **out)
{
        static const struct symbols_frame unknown = {.function = "?"};
        struct frames *f = ptrmap_find(&s->frames, site);

        if (!f) {
                f = calloc(1, sizeof(*f));
                if (f)
                        find_frames(s, f, site - 1);
                if (!f || ptrmap_insert(&s->frames, site, f)) {
                        if (f)
                                free_frames(f);
                        *out = &unknown;
                        return 1;
                }
        }
        *out = f->n ? f->frame : &unknown;
        return f->n ? f->n : 1;
}

struct symbols_frame symbols_place(struct symbols *s, uint64_t site)
{
        const struct symbols_frame *f;

        symbols_frames(s, site, &f);
        return f[0];
}

const char *symbols_source(struct symbols *s, uint64_t pc)
{
        Dwfl_Module *m = s->dwfl ? dwfl_addrmodule(s->dwfl, pc) : NULL;
        Dwarf_Addr bias = 0;
        Dwarf_Die *cu = m ? module_unit(m, pc, &bias) : NULL;
        const char *path = cu ? dwarf_diename(cu) : NULL, *slash = path ? strrchr(path, '/') : NULL;

        return slash ? slash + 1 : path;
}

const char *symbols_module(struct symbols *s, uint64_t pc)
{
        Dwfl_Module *m = s->dwfl ? dwfl_addrmodule(s->dwfl, pc) : NULL;
        const char *path = NULL;

        if (m)
                dwfl_module_info(m, NULL, NULL, NULL, NULL, NULL, &path, NULL);
        return path;
}

const char *symbols_function(struct symbols *s, uint64_t pc)
{
        char *name = ptrmap_find(&s->functions, pc);

        if (!name) {
                Dwfl_Module *m = dwfl_addrmodule(s->dwfl, pc);
                const char *raw = m ? dwfl_module_addrname(m, pc) : NULL;
                name = raw ? symbols_pretty(raw) : strdup("");
                if (!name || ptrmap_insert(&s->functions, pc, name)) {
                        free(name);
                        return NULL;
                }
        }
        return name[0] ? name : NULL;
}

static void each_symbol(struct symbols *s, int type, const char *prefix,
                        bool (*f)(void *arg, const char *name, uint64_t addr, uint64_t size), void *arg)
{
        Dwfl_Module *m = s->n_modules ? s->modules[0].dwfl : NULL;
        int n = m ? dwfl_module_getsymtab(m) : 0;

        for (int i = 0; i < n; i++) {
                GElf_Sym sym;
                GElf_Addr addr;
                const char *name = dwfl_module_getsym_info(m, i, &sym, &addr, NULL, NULL, NULL);
                if (name && GELF_ST_TYPE(sym.st_info) == type && sym.st_size && sym.st_shndx != SHN_UNDEF &&
                    !strncmp(name, prefix, strlen(prefix)) && !f(arg, name, addr, sym.st_size))
                        return;
        }
}

void symbols_functions(struct symbols *s, const char *prefix,
                       bool (*f)(void *arg, const char *name, uint64_t addr, uint64_t size), void *arg)
{
        each_symbol(s, STT_FUNC, prefix, f, arg);
}

void symbols_variables(struct symbols *s, bool (*f)(void *arg, const char *name, uint64_t addr, uint64_t size),
                       void *arg)
{
        each_symbol(s, STT_OBJECT, "", f, arg);
}

void symbols_sections(struct symbols *s, const char *name, void (*f)(void *arg, uint64_t lo, uint64_t hi), void *arg)
{
        for (uint32_t i = 0; i < s->n_modules; i++) {
                GElf_Addr bias;
                Elf *elf = dwfl_module_getelf(s->modules[i].dwfl, &bias);
                Elf_Scn *scn = NULL;
                size_t names;

                if (!elf || elf_getshdrstrndx(elf, &names))
                        continue;
                while ((scn = elf_nextscn(elf, scn))) {
                        GElf_Shdr head;
                        const char *found = gelf_getshdr(scn, &head) ? elf_strptr(elf, names, head.sh_name) : NULL;
                        if (found && head.sh_addr && !strcmp(found, name))
                                f(arg, bias + head.sh_addr, bias + head.sh_addr + head.sh_size);
                }
        }
}

int symbols_know_place(struct symbols *s, uint64_t site, const struct symbols_frame *frame)
{
        struct frames *f = ptrmap_find(&s->frames, site);

        if (!f) {
                f = calloc(1, sizeof(*f));
                if (!f || ptrmap_insert(&s->frames, site, f)) {
                        free(f);
                        return -1;
                }
        }
        if (f->n == MAX_FRAMES)
                return 0;
        const char *function = own(f, strdup(frame->function));
        const char *file = frame->file ? own(f, strdup(frame->file)) : NULL;
        if (!function || (frame->file && !file))
                return -1;
        f->frame[f->n] = *frame;
        f->frame[f->n].function = function;
        f->frame[f->n++].file = file;
        return 0;
}

static int know(struct ptrmap *map, uint64_t addr, const char *name)
{
        if (ptrmap_find(map, addr))
                return 0;
        char *copy = strdup(name);
        if (!copy || ptrmap_insert(map, addr, copy)) {
                free(copy);
                return -1;
        }
        return 0;
}

int symbols_know_data(struct symbols *s, uint64_t addr, const char *name)
{
        return know(&s->data, addr, name);
}

int symbols_know_block(struct symbols *s, uint64_t addr, const char *text)
{
        return know(&s->heap.said, addr, text);
}

int symbols_know_expression(struct symbols *s, uint64_t site, bool write, const char *text)
{
        return know(&s->expressions, 2 * site + write, text);
}

int symbols_know_function(struct symbols *s, uint64_t pc, const char *name)
{
        return know(&s->functions, pc, name);
}
