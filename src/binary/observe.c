/*
 * --observe: from the name of a variable to the cells whose values make up an outcome.
 *
 * A cell is an integer, enumeration, boolean or pointer of at most 8 bytes; an array is one cell per element, an
 * integer of 16 bytes two cells.  A structure that only wraps one value (std::atomic) is that value; of any other a
 * member must be named.  Without debug information a symbol of the size of an integer is taken for a signed one.
 */
#include <dwarf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "binary/modules.h"
#include "binary/symbols.h"
#include "binary/types.h"
#include "binary/instrumentation.h"

struct observe {
        const char *name; /* as the user wrote it */
        struct error *why;
        struct observed *cells;
        uint32_t n, room;
};

__attribute__((format(printf, 2, 3))) static int fail(struct observe *o, const char *format, ...)
{
        va_list ap;

        va_start(ap, format);
        error_set_at(o->why, -1, "", format, ap);
        va_end(ap);
        return -1;
}

/* The one value in a structure that holds nothing else; false: it is not such a structure. */
static bool unwrap(Dwarf_Die *type)
{
        uint64_t size = type_size(type);
        Dwarf_Die die, inner, found;
        int n = 0;

        if (dwarf_tag(type) == DW_TAG_union_type || !size || dwarf_child(type, &die))
                return false;
        do {
                if (type_is_member(&die) && type_of_die(&die, &inner) && type_size(&inner) == size && n++ == 0)
                        found = inner;
        } while (dwarf_siblingof(&die, &die) == 0);
        if (n != 1)
                return false;
        *type = found;
        return true;
}

static int add_cell(struct observe *o, const char *name, const char *part, struct observed cell)
{
        if (o->n == WIRE_MAX_CELLS)
                return fail(o, "--observe %s: more than %u values", o->name, WIRE_MAX_CELLS);
        if (o->n == o->room) {
                uint32_t room = o->room ? o->room * 2 : 8;
                struct observed *cells = realloc(o->cells, room * sizeof(*cells));
                if (!cells)
                        return fail(o, "out of memory");
                o->cells = cells;
                o->room = room;
        }
        if (asprintf(&cell.name, "%s%s", name, part) < 0)
                return fail(o, "out of memory");
        o->cells[o->n++] = cell;
        return 0;
}

static int add_scalar(struct observe *o, const char *name, Dwarf_Die *type, uint64_t addr)
{
        struct observed cell = {.addr = addr, .size = (uint32_t)type_size(type)};
        Dwarf_Attribute attr;
        Dwarf_Word encoding = 0;

        switch (dwarf_tag(type)) {
        case DW_TAG_pointer_type:
        case DW_TAG_reference_type:
        case DW_TAG_rvalue_reference_type:
                cell.is_pointer = true;
                cell.size = 8;
                break;
        case DW_TAG_enumeration_type: cell.is_signed = true; break;
        case DW_TAG_base_type:
                dwarf_formudata(dwarf_attr(type, DW_AT_encoding, &attr), &encoding);
                cell.is_bool = encoding == DW_ATE_boolean;
                cell.is_char = encoding == DW_ATE_signed_char || encoding == DW_ATE_unsigned_char;
                cell.is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
                if (encoding == DW_ATE_float || encoding == DW_ATE_complex_float)
                        return fail(o, "--observe %s: floating-point values cannot be observed", name);
                break;
        default:
                return fail(o, "--observe %s: neither an integer, an enumeration, a pointer nor an array of them",
                            name);
        }
        if (cell.size == 16) {
                struct observed high = cell;
                cell.size = high.size = 8;
                high.addr += 8;
                cell.is_signed = false;
                return add_cell(o, name, ".low", cell) || add_cell(o, name, ".high", high) ? -1 : 0;
        }
        if (cell.size != 1 && cell.size != 2 && cell.size != 4 && cell.size != 8)
                return fail(o, "--observe %s: a value of %u bytes cannot be observed", name, cell.size);
        return add_cell(o, name, "", cell);
}

/* "name.a, name.b ..." for the message about a whole structure. */
static int refuse_struct(struct observe *o, const char *name, Dwarf_Die *type)
{
        struct strbuf members = STRBUF_INIT;
        Dwarf_Die die;
        int n = 0;

        if (dwarf_child(type, &die) == 0) {
                do {
                        const char *member = type_is_member(&die) ? dwarf_diename(&die) : NULL;
                        if (member && n < 4)
                                strbuf_printf(&members, "%s%s.%s", n++ ? ", " : "", name, member);
                } while (dwarf_siblingof(&die, &die) == 0);
        }
        fail(o, "--observe %s: a structure; name its members%s%s", name, n ? ": " : "", strbuf_str(&members));
        strbuf_fini(&members);
        return -1;
}

static int add_all(struct observe *o, const char *name, Dwarf_Die type, uint64_t addr);

/* The elements of all n dimensions, in the order of memory. */
static int add_elements(struct observe *o, const char *name, Dwarf_Die *element, const uint64_t *counts, uint32_t n,
                        uint64_t *addr)
{
        if (!n) {
                uint64_t at = *addr;
                *addr += type_size(element);
                return add_all(o, name, *element, at);
        }
        for (uint64_t i = 0; i < counts[0]; i++) {
                char *inner;
                if (asprintf(&inner, "%s[%llu]", name, (unsigned long long)i) < 0)
                        return fail(o, "out of memory");
                int r = add_elements(o, inner, element, counts + 1, n - 1, addr);
                free(inner);
                if (r)
                        return r;
        }
        return 0;
}

static int add_all(struct observe *o, const char *name, Dwarf_Die type, uint64_t addr)
{
        while (type_is_struct(&type))
                if (!unwrap(&type))
                        return refuse_struct(o, name, &type);
        if (dwarf_tag(&type) != DW_TAG_array_type)
                return add_scalar(o, name, &type, addr);
        uint64_t counts[8];
        uint32_t n = type_dimensions(&type, counts, 8);
        Dwarf_Die element;
        if (!n || !type_of_die(&type, &element))
                return fail(o, "--observe %s: an array of unknown size", name);
        return add_elements(o, name, &element, counts, n, &addr);
}

/* The program, or a library of its own: the variables of heddle and of libc are not observed. */
static bool is_users(struct symbols *s, uint32_t module)
{
        const char *name = dwfl_module_info(s->modules[module].dwfl, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

        return module == 0 || (name && watched_module(name) < WATCHED_SYSTEM);
}

static const struct variable *find_variable(struct observe *o, struct symbols *s, const char *name, bool *several)
{
        *several = false;
        for (uint32_t i = 0; i < s->n_modules; i++) {
                struct module *m = &s->modules[i];
                const struct variable *found = NULL;
                if (!is_users(s, i))
                        continue;
                module_index(m);
                for (uint32_t k = 0; k < m->n_vars; k++) {
                        const struct variable *v = &m->vars[k];
                        if (strcmp(v->name, name) != 0)
                                continue;
                        if (v->external) {
                                *several = false;
                                return v;
                        }
                        *several |= found && found->addr != v->addr;
                        found = v;
                }
                if (*several)
                        fail(o, "--observe %s: several static variables have this name", o->name);
                if (found)
                        return found;
        }
        return NULL;
}

/* Edit distance, for names up to 63 characters. */
static uint32_t distance(const char *a, const char *b)
{
        uint32_t row[64];
        size_t n = strlen(b);

        if (n > 63 || strlen(a) > 63)
                return UINT32_MAX;
        for (uint32_t j = 0; j <= n; j++)
                row[j] = j;
        for (uint32_t i = 1; a[i - 1]; i++) {
                uint32_t diagonal = row[0];
                row[0] = i;
                for (uint32_t j = 1; j <= n; j++) {
                        uint32_t best = diagonal + (a[i - 1] != b[j - 1]);
                        diagonal = row[j];
                        if (row[j] + 1 < best)
                                best = row[j] + 1;
                        if (row[j - 1] + 1 < best)
                                best = row[j - 1] + 1;
                        row[j] = best;
                }
        }
        return row[n];
}

static int no_variable(struct observe *o, struct symbols *s, const char *name)
{
        const char *nearest = NULL;
        uint32_t best = (uint32_t)strlen(name) / 3 + 2;

        for (uint32_t i = 0; i < s->n_modules; i++) {
                for (uint32_t k = 0; k < s->modules[i].n_vars; k++) {
                        uint32_t d = distance(name, s->modules[i].vars[k].name);
                        if (d < best) {
                                best = d;
                                nearest = s->modules[i].vars[k].name;
                        }
                }
        }
        if (nearest)
                return fail(o, "--observe %s: no such global variable; did you mean %s?", o->name, nearest);
        if (!s->n_modules || !s->modules[0].n_vars)
                return fail(o, "--observe %s: no such symbol, and no debug information; build the program with -g",
                            o->name);
        return fail(o, "--observe %s: no such global variable", o->name);
}

/* An object of the symbol tables, which say where it is and how large.  1: there is none. */
static int observe_symbol(struct observe *o, struct symbols *s, const char *name, const char *rest)
{
        for (uint32_t i = 0; i < s->n_modules; i++) {
                Dwfl_Module *m = s->modules[i].dwfl;
                int n = is_users(s, i) ? dwfl_module_getsymtab(m) : 0;
                for (int k = 0; k < n; k++) {
                        GElf_Sym sym;
                        GElf_Addr addr;
                        const char *found = dwfl_module_getsym_info(m, k, &sym, &addr, NULL, NULL, NULL);
                        if (!found || GELF_ST_TYPE(sym.st_info) != STT_OBJECT || sym.st_shndx == SHN_UNDEF ||
                            strcmp(found, name) != 0)
                                continue;
                        struct observed cell = {.addr = addr, .size = (uint32_t)sym.st_size, .is_signed = true};
                        bool fits = sym.st_size == 1 || sym.st_size == 2 || sym.st_size == 4 || sym.st_size == 8;
                        if (*rest || !fits)
                                return fail(o, "--observe %s: %llu bytes of unknown type; build the program with -g",
                                            o->name, (unsigned long long)sym.st_size);
                        return add_cell(o, o->name, "", cell);
                }
        }
        return 1;
}

/* Goes to the member of a structure, probing into base classes and unnamed members. */
static bool enter_member(Dwarf_Die *type, const char *name, size_t n, uint64_t *addr, int depth)
{
        Dwarf_Die die, inner;

        if (depth > 16 || dwarf_child(type, &die))
                return false;
        do {
                const char *member = dwarf_tag(&die) == DW_TAG_member ? dwarf_diename(&die) : NULL;
                if (!type_is_member(&die) || !type_of_die(&die, &inner) || dwarf_hasattr(&die, DW_AT_bit_size))
                        continue;
                uint64_t at = *addr + type_member_offset(&die);
                bool here = member && strlen(member) == n && memcmp(member, name, n) == 0;
                if (here || (!member && type_is_struct(&inner) && enter_member(&inner, name, n, &at, depth + 1))) {
                        *type = inner;
                        *addr = at;
                        return true;
                }
        } while (dwarf_siblingof(&die, &die) == 0);
        return false;
}

/* Follows ".member" and "[index]"; an index goes through one dimension, so all must be given or none. */
static int follow(struct observe *o, const char *rest, Dwarf_Die *type, uint64_t *addr)
{
        while (*rest) {
                if (*rest == '.' && type_is_struct(type)) {
                        size_t n = strcspn(rest + 1, ".[");
                        if (!enter_member(type, rest + 1, n, addr, 0))
                                return fail(o, "--observe %s: no member %.*s (bit-fields cannot be observed)", o->name,
                                            (int)n, rest + 1);
                        rest += 1 + n;
                        continue;
                }
                uint64_t counts[8], index = 0;
                Dwarf_Die element;
                uint32_t n = dwarf_tag(type) == DW_TAG_array_type ? type_dimensions(type, counts, 8) : 0;
                if (*rest != '[' || !n || !type_of_die(type, &element))
                        return fail(o, "--observe %s: `%s' does not fit the type", o->name, rest);
                for (uint32_t i = 0; i < n; i++) {
                        char *end;
                        unsigned long long k = *rest == '[' ? strtoull(rest + 1, &end, 10) : 0;
                        if (*rest != '[' || end == rest + 1 || *end != ']' || k >= counts[i])
                                return fail(o, "--observe %s: an index is missing or out of range", o->name);
                        index = index * counts[i] + k;
                        rest = end + 1;
                }
                *addr += index * type_size(&element);
                *type = element;
        }
        return 0;
}

static int observe(struct observe *o, struct symbols *s)
{
        const char *last = strstr(o->name, "::");
        const char *begin = o->name;
        bool several;

        for (; last; last = strstr(begin, "::"))
                begin = last + 2;
        size_t n = strcspn(begin, ".[");
        char *base = strndup(begin, n);
        if (!base)
                return fail(o, "out of memory");
        const struct variable *v = n ? find_variable(o, s, base, &several) : NULL;
        int r = v && several ? -1 : 0;
        if (!v && (r = observe_symbol(o, s, base, begin + n)) > 0)
                r = no_variable(o, s, base);
        free(base);
        if (!v || r)
                return r;
        Dwarf_Die type = v->type;
        uint64_t addr = v->addr;
        if (follow(o, begin + n, &type, &addr))
                return -1;
        return add_all(o, o->name, type, addr);
}

int symbols_observe(struct symbols *s, const char *name, struct observed **out, uint32_t *n, struct error *why)
{
        struct observe o = {.name = name, .why = why};

        if (observe(&o, s)) {
                for (uint32_t i = 0; i < o.n; i++)
                        free(o.cells[i].name);
                free(o.cells);
                return -1;
        }
        *out = o.cells;
        *n = o.n;
        return 0;
}
