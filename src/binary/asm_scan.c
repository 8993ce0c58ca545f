/*
 * Goes through the functions of an ELF file, instruction by instruction.
 *
 * The symbol table and the table for unwinding say where a function begins and ends.  Code of which no table says the size,
 * code between functions, all of a file without a table, and what follows bytes that are not instructions, may be data or begin in the middle of an
 * instruction: what is found there is never called known, since the runtime writes over what is known.
 *
 * Which code is inline assembly is known from the section that our assembler makes (cli/cc/assembler.c).
 */
#include "binary/asm_scan.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/search.h"
#include "base/vec.h"
#include "binary/announced.h"
#include "binary/asm_words.h"
#include "binary/frames.h"
#include "binary/start_files.h"
#include "binary/stretches.h"
#include "binary/transaction/status_use.h"

#define LOOP_INSTRUCTIONS 12 /* of a short loop, after a load */
#define LOOP_BYTES        64 /* ... and before it */

/* What was found, and in which stretch. */
struct found {
        struct locked l;
        uint64_t lo, hi;
        uint64_t previous; /* the instruction before it, 0: none */
        bool word;         /* a plain access to what a locked instruction updates */
};

/* Inline assembly. */
struct block {
        uint64_t lo, hi;
};

struct scan {
        uint64_t base;
        code_sections code;
        VEC(struct block) blocks; /* by address; they do not overlap */
        bool marked, noted;       /* there is a section of blocks; there was one */
        bool foreign;             /* accesses of the module are not watched */
        bool nameless;            /* functions cannot be distinguished */
        bool catches, split;      /* exceptions are caught; in parts of functions that are elsewhere */
        struct announced announced;
        stretches todo;
        VEC(struct found) found; /* by address */
        struct asm_words words;  /* of a foreign module */
};

static const char *section_name(Elf *elf, const GElf_Shdr *header)
{
        size_t names;

        return elf_getshdrstrndx(elf, &names) == 0 ? elf_strptr(elf, names, header->sh_name) : NULL;
}

/* Bodies of functions that run outside `check` only (instrument/clone.cc) do not count. */
static bool take_code(struct scan *s, Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
        Elf_Data *data = elf_getdata(section, NULL);
        const char *name = section_name(elf, header);

        if (!data || !data->d_buf || (name && strcmp(name, "heddle_plain") == 0))
                return true;
        if (!vec_reserve(&s->code, 1))
                return false;
        *vec_push(&s->code) = (struct code){.lo = header->sh_addr,
                                            .hi = header->sh_addr + data->d_size,
                                            .bytes = data->d_buf,
                                            .made = name && start_files_section(name)};
        return true;
}

static int by_begin(const void *a, const void *b)
{
        const struct block *x = a, *y = b;

        return x->lo < y->lo ? -1 : x->lo > y->lo;
}

/* Entries of what was not linked are empty. */
static bool take_blocks(struct scan *s, Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
        const char *name = section_name(elf, header);
        Elf_Data *data;

        s->catches |= name && strncmp(name, ".gcc_except_table", 17) == 0;
        s->noted |= name && strcmp(name, ".note.heddle") == 0;
        if (!name || strcmp(name, ".debug_heddle_asm") != 0)
                return true;
        s->marked = true;
        if (header->sh_flags & SHF_COMPRESSED)
                (void)elf_compress(section, 0, 0);
        data = elf_getdata(section, NULL);
        for (size_t i = 0; data && data->d_buf && i + 16 <= data->d_size; i += 16) {
                struct block b;
                memcpy(&b, (const char *)data->d_buf + i, sizeof b);
                if (b.lo >= b.hi || !code_at(&s->code, b.lo) || !code_at(&s->code, b.hi - 1))
                        continue;
                if (!vec_reserve(&s->blocks, 1))
                        return false;
                *vec_push(&s->blocks) = b;
        }
        if (s->blocks.n)
                qsort(s->blocks.at, s->blocks.n, sizeof *s->blocks.at, by_begin);
        return true;
}

static bool in_block(const struct scan *s, uint64_t addr)
{
        uint32_t at = SEARCH(i, s->blocks.n, s->blocks.at[i].hi <= addr);

        return at < s->blocks.n && addr >= s->blocks.at[at].lo;
}

static bool take_symbols(struct scan *s, Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
        Elf_Data *data = elf_getdata(section, NULL);

        for (size_t i = 0; data && header->sh_entsize && i < header->sh_size / header->sh_entsize; i++) {
                const char *name;
                GElf_Sym symbol;
                uint32_t type;

                if (!gelf_getsym(data, (int)i, &symbol) || !code_at(&s->code, symbol.st_value))
                        continue;
                type = GELF_ST_TYPE(symbol.st_info);
                if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE)
                        continue;
                name = elf_strptr(elf, header->sh_link, symbol.st_name);
                if (!stretches_add(&s->todo,
                                   (struct stretch){.lo = symbol.st_value,
                                                    .hi = symbol.st_size ? symbol.st_value + symbol.st_size : 0,
                                                    .sure = type != STT_NOTYPE && symbol.st_size,
                                                    .cold = name && strstr(name, ".cold"),
                                                    .crt = name && start_files_function(name)}))
                        return false;
        }
        return true;
}

/* What aborts transactions does not matter where none is. */
static void drop_aborts(struct scan *s)
{
        bool transactions = s->announced.transactions;
        uint32_t n = 0;

        for (uint32_t i = 0; i < s->found.n; i++)
                transactions |= s->found.at[i].l.at.kind == WIRE_LOCKED_XBEGIN;
        for (uint32_t i = 0; i < s->found.n; i++)
                if (s->found.at[i].l.at.kind != WIRE_LOCKED_ABORTS || (transactions && s->found.at[i].l.known))
                        s->found.at[n++] = s->found.at[i];
        s->found.n = n;
}

static bool take_frame(void *arg, uint64_t lo, uint64_t hi)
{
        struct scan *s = arg;
        const struct code *c = code_at(&s->code, lo);

        return !c || hi > c->hi || stretches_add(&s->todo, (struct stretch){.lo = lo, .hi = hi, .sure = true});
}

static const uint8_t *bytes_at(const void *arg, uint64_t addr, size_t *left)
{
        const struct scan *s = arg;
        const struct code *c = code_at(&s->code, addr);

        *left = c ? (size_t)(c->hi - addr) : 0;
        return c ? c->bytes + (addr - c->lo) : NULL;
}

/* The instrumenter has announced all accesses of this function (instrument/clone.h). */
static bool is_marked(const struct scan *s, uint64_t lo)
{
        const struct code *c = code_at(&s->code, lo);

        return c && lo - c->lo >= START_FILES_MARK &&
               start_files_mark(c->bytes + (lo - c->lo) - START_FILES_MARK, START_FILES_MARK);
}

/* The accesses of a function that no hook announces.  In code without names functions cannot be distinguished. */
static bool find_missing(struct scan *s, const struct stretch *t)
{
        s->announced.missing.n = 0;
        return s->nameless || t->crt || !s->announced.hooks.n || (t->sure && is_marked(s, t->lo)) ||
               announced_scan(&s->announced, t->lo, t->hi, bytes_at, s) == 0;
}

/* What cannot be decoded may do anything: the first of a function that has been clear so far is found. */
static void undecoded(const struct scan *s, struct found *o, uint64_t at, enum x86_kind *kind, bool sure)
{
        if (!sure || s->foreign)
                return;
        *kind = X86_UNKNOWN;
        o->l.at = (struct wire_locked){.addr = s->base + at, .kind = WIRE_LOCKED_UNSEEN};
        strcpy(o->l.name, "an unknown instruction");
}

static bool look(struct scan *s, struct stretch t)
{
        const struct code *c = code_at(&s->code, t.lo);
        struct found o = {.lo = t.lo, .hi = t.hi};
        uint32_t missing = 0;
        size_t n;

        if (!find_missing(s, &t))
                return false;
        for (uint64_t at = t.lo; at < t.hi; o.previous = at, at += n) {
                bool assembly = in_block(s, at);
                bool unsaid = missing < s->announced.missing.n && s->announced.missing.at[missing] == at;
                enum x86_kind kind;

                missing += unsaid;
                n = x86_look(c->bytes + (at - c->lo), (size_t)(t.hi - at), s->base + at, assembly || unsaid, &kind,
                             &o.l.at, o.l.name);
                o.l.at.plain = s->foreign ? kind == X86_UNKNOWN : unsaid && !assembly && s->announced.hooked;
                o.l.assembly = assembly || !unsaid;
                if (n == 0) {
                        undecoded(s, &o, at, &kind, t.sure);
                        t.sure = false;
                        n = 1;
                }
                if (o.l.at.kind == WIRE_LOCKED_ABORTS && n == 2 && c->bytes[at - c->lo] == 0xf3 && s->foreign && t.sure)
                        o.l.at.kind = WIRE_LOCKED_PAUSE;
                if (kind == X86_PLAIN)
                        continue;
                o.l.known = t.sure;
                o.l.at.compared =
                        o.l.at.kind == WIRE_LOCKED_XBEGIN && t.sure && !s->split &&
                        status_compared(c->bytes + (t.lo - c->lo), t.lo, t.hi, (uint64_t)o.l.at.immediate - s->base);
                if (!vec_reserve(&s->found, 1))
                        return false;
                *vec_push(&s->found) = o;
        }
        return true;
}

/* Does a short loop wait for what is loaded at this place?  It has as many operations as rounds, so it stays unwatched. */
static bool is_waiting(const struct scan *s, const struct code *c, uint64_t at, const struct stretch *t)
{
        struct x86_flow w;

        for (uint64_t next = at, i = 0; i < LOOP_INSTRUCTIONS && next < t->hi; i++, next += w.length) {
                w = x86_follow(c->bytes + (next - c->lo), (size_t)(t->hi - next), s->base + next);
                if (!w.length)
                        break;
                if (w.target >= s->base + t->lo && w.target <= s->base + at && w.target + LOOP_BYTES >= s->base + at)
                        return true;
        }
        return false;
}

static bool look_for_words(struct scan *s, const struct stretch *t)
{
        const struct code *c = code_at(&s->code, t->lo);
        struct found o = {.lo = t->lo, .hi = t->hi, .word = true, .l.known = true, .l.assembly = true};
        size_t n;

        for (uint64_t at = t->lo; t->sure && at < t->hi; o.previous = at, at += n) {
                enum x86_kind kind;

                n = x86_look(c->bytes + (at - c->lo), (size_t)(t->hi - at), s->base + at, true, &kind, &o.l.at,
                             o.l.name);
                if (n == 0)
                        break;
                if (kind != X86_KNOWN || !asm_words_has(&s->words, &o.l.at, o.lo) ||
                    (o.l.at.kind == WIRE_LOCKED_LOAD && is_waiting(s, c, at, t)))
                        continue;
                if (!vec_reserve(&s->found, 1))
                        return false;
                *vec_push(&s->found) = o;
        }
        return true;
}

static int by_place(const void *a, const void *b)
{
        const struct found *x = a, *y = b;

        return x->l.at.addr < y->l.at.addr ? -1 : x->l.at.addr > y->l.at.addr;
}

static bool find_words(struct scan *s)
{
        for (uint32_t i = 0; i < s->found.n; i++)
                if (s->found.at[i].l.known && !asm_words_add(&s->words, &s->found.at[i].l.at, s->found.at[i].lo))
                        return false;
        asm_words_sort(&s->words);
        for (uint32_t i = 0; asm_words_any(&s->words) && i < s->todo.n; i++)
                if (!look_for_words(s, &s->todo.at[i]))
                        return false;
        if (s->found.n)
                qsort(s->found.at, s->found.n, sizeof *s->found.at, by_place);
        return true;
}

/* What may be overwritten by a jump, which is faster than a trap: the instruction and those after it or the one before it, if
 * they may be elsewhere and nothing jumps into the middle. */

static uint64_t window_of(const struct found *o)
{
        return o->l.at.addr - o->l.at.before;
}

/* The first one from there on, of those that were found. */
static uint32_t found_from(const struct scan *s, uint64_t target)
{
        return SEARCH(i, s->found.n, s->found.at[i].l.at.addr < target);
}

static bool is_found(const struct scan *s, uint64_t target)
{
        uint32_t i = found_from(s, target);

        return i < s->found.n && s->found.at[i].l.at.addr == target;
}

/* One more instruction, at the end of the window; false: it has to stay. */
static bool take_one(const struct scan *s, struct found *o)
{
        struct wire_locked *at = &o->l.at;
        uint64_t next = window_of(o) + at->span - s->base;
        const struct code *c = code_at(&s->code, o->lo);
        struct x86_flow w = {0};

        if (next < o->hi && (s->base + next == at->addr || !is_found(s, s->base + next)))
                w = x86_follow(c->bytes + (next - c->lo), (size_t)(o->hi - next), s->base + next);
        if (!w.length || !w.movable || (w.fix && at->fix))
                return false;
        if (w.fix)
                at->fix = (uint8_t)(at->span + w.fix);
        at->span = (uint8_t)(at->span + w.length);
        return true;
}

/* The instruction itself; one that runs elsewhere must be able to. */
static bool take_itself(const struct scan *s, struct found *o)
{
        struct wire_locked *at = &o->l.at;

        if (at->kind >= WIRE_LOCKED_LOAD)
                return take_one(s, o);
        at->span = (uint8_t)(at->before + at->length);
        return true;
}

/* No window but what a trap needs: nothing, or the instruction itself. */
static void narrow(const struct scan *s, struct found *o)
{
        struct wire_locked *at = &o->l.at;

        at->before = at->span = at->fix = 0;
        if (at->kind < WIRE_LOCKED_LOAD)
                return;
        if (at->length < X86_TRAP || !take_one(s, o))
                o->l.known = false;
}

/* The window from `before` bytes before the instruction on. */
static bool widen(const struct scan *s, struct found *o, uint64_t before)
{
        struct wire_locked *at = &o->l.at;

        at->before = (uint8_t)before;
        at->span = at->fix = 0;
        if ((before && !take_one(s, o)) || !take_itself(s, o))
                return false;
        while (at->span < X86_JUMP)
                if (!take_one(s, o))
                        return false;
        return true;
}

static void find_window(const struct scan *s, uint32_t i)
{
        struct found *o = &s->found.at[i];
        uint64_t from = i ? window_of(o - 1) + o[-1].l.at.span - s->base : 0; /* not the one before it once more */

        if (widen(s, o, 0) || (o->previous && o->previous >= from && widen(s, o, o->l.at.addr - s->base - o->previous)))
                return;
        narrow(s, o);
}

/* Something jumps to this address, of the target. */
static void keep_target(struct scan *s, uint64_t target)
{
        uint32_t from = found_from(s, target);

        for (uint32_t i = from ? from - 1 : 0; i <= from && i < s->found.n; i++) {
                struct found *o = &s->found.at[i];
                struct wire_locked *at = &o->l.at;

                if (target > window_of(o) && target < window_of(o) + at->span)
                        narrow(s, o);
                if (target > at->addr && target < at->addr + at->length)
                        o->l.known = false; /* it is two instructions in one: not even a trap can be there */
        }
}

/* Something jumps to an unknown place, in this stretch or, of a cold part, in the whole. */
static void keep_stretch(struct scan *s, const struct stretch *t)
{
        for (uint32_t i = 0; i < s->found.n; i++)
                if ((t->cold || s->found.at[i].lo == t->lo) && s->found.at[i].l.at.span > s->found.at[i].l.at.length)
                        narrow(s, &s->found.at[i]);
}

static void find_windows(struct scan *s)
{
        for (uint32_t i = 0; i < s->found.n; i++)
                find_window(s, i);
        for (uint32_t i = 0; s->found.n && i < s->todo.n; i++) {
                const struct stretch *t = &s->todo.at[i];
                const struct code *c = code_at(&s->code, t->lo);
                bool computed = false;

                for (uint64_t at = t->lo; at < t->hi;) {
                        struct x86_flow w = x86_follow(c->bytes + (at - c->lo), (size_t)(t->hi - at), s->base + at);
                        if (w.target)
                                keep_target(s, w.target);
                        computed |= w.computed;
                        at += w.length ? w.length : 1;
                }
                if (computed)
                        keep_stretch(s, t);
        }
}

static bool take_sections(struct scan *s, Elf *elf, uint32_t type, uint64_t flags,
                          bool (*take)(struct scan *, Elf *, Elf_Scn *, const GElf_Shdr *))
{
        for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
                GElf_Shdr header;

                if (!gelf_getshdr(section, &header) || header.sh_type != type || (header.sh_flags & flags) != flags)
                        continue;
                if (!take(s, elf, section, &header))
                        return false;
        }
        return true;
}

int locked_find(const struct locked_module *m, bool *stripped, void (*f)(void *arg, const struct locked *l), void *arg)
{
        struct scan s = {
                .base = m->base, .foreign = m->foreign, .words = {.touched = m->touched, .n_touched = m->n_touched}};
        int fd = open(m->path, O_RDONLY | O_CLOEXEC);
        Elf *elf = fd < 0 || elf_version(EV_CURRENT) == EV_NONE ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
        bool ok =
                !elf || (take_sections(&s, elf, SHT_PROGBITS, SHF_EXECINSTR, take_code) &&
                         take_sections(&s, elf, SHT_NOTE, 0, take_blocks) &&
                         take_sections(&s, elf, SHT_PROGBITS, 0, take_blocks) &&
                         take_sections(&s, elf, SHT_SYMTAB, 0, take_symbols) && announced_init(&s.announced, elf) == 0);

        if (ok && elf)
                ok = frames_each(elf, take_frame, &s);
        s.nameless = !s.todo.n;
        for (uint32_t i = 0; ok && s.nameless && i < s.code.n; i++)
                ok = stretches_add(&s.todo, (struct stretch){.lo = s.code.at[i].lo, .hi = s.code.at[i].hi});
        if (ok)
                stretches_clean(&s.todo, &s.code);
        ok = ok && (s.foreign || stretches_fill(&s.todo, &s.code));
        for (uint32_t i = 0; ok && i < s.todo.n; i++)
                s.split |= s.catches && s.todo.at[i].cold;
        for (uint32_t i = 0; ok && i < s.todo.n; i++)
                ok = look(&s, s.todo.at[i]);
        if (ok)
                drop_aborts(&s);
        ok = ok && (!s.foreign || find_words(&s));
        if (ok)
                find_windows(&s);
        for (uint32_t i = 0; ok && i < s.found.n; i++)
                if (s.found.at[i].l.known ||
                    !s.found.at[i].word) /* plain accesses that cannot be patched stay unwatched */
                        f(arg, &s.found.at[i].l);
        *stripped = s.noted && !s.marked;
        announced_fini(&s.announced);
        vec_fini(&s.found);
        asm_words_fini(&s.words);
        vec_fini(&s.todo);
        vec_fini(&s.blocks);
        vec_fini(&s.code);
        elf_end(elf);
        if (fd >= 0)
                close(fd);
        return ok ? 0 : -1;
}
