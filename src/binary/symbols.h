/*
 * Names for addresses of the target, from the symbol tables and DWARF of its modules; and addresses for names.
 *
 * Strings that are handed out belong to the symbols and live as long as they do.
 */
#ifndef HEDDLE_BINARY_SYMBOLS_H
#define HEDDLE_BINARY_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "wire/wire.h"

struct symbols;

/* A place in the source. */
struct symbols_frame {
        const char *function; /* never NULL; "0x401136" when nothing is known */
        const char *file;     /* NULL: unknown; as short as possible: relative to where it was compiled */
        uint32_t line;        /* 0: unknown */
        bool inlined;         /* into the frame that follows */
        bool runtime;         /* in heddle's runtime: of no interest to the user */
};

/* Opens the modules as they are on disk now; those that cannot be read are omitted.  NULL when out of memory. */
struct symbols *symbols_create(const struct wire_module *modules, uint32_t n);
/* One more module; false when out of memory. */
bool symbols_add(struct symbols *s, const struct wire_module *module);
void symbols_destroy(struct symbols *s);

/* The frames of a call site (a return address), innermost first: more than one where functions were inlined.
 * Always at least one. */
uint32_t symbols_frames(struct symbols *s, uint64_t site, const struct symbols_frame **out);

/* The innermost frame. */
struct symbols_frame symbols_place(struct symbols *s, uint64_t site);

/* The name of the function that begins at or contains pc (not a return address); NULL: unknown. */
const char *symbols_function(struct symbols *s, uint64_t pc);

/* The name of the source that the code at pc was compiled from, without folders; NULL: there is no debug information. */
const char *symbols_source(struct symbols *s, uint64_t pc);

/* The path of the module that pc is in, NULL: none. */
const char *symbols_module(struct symbols *s, uint64_t pc);

/* The name of a symbol of C, C++ or Rust for people, demangled and without parameters; the caller frees it. */
char *symbols_pretty(const char *name);

/* Calls f for every function of the program whose name begins with `prefix`, until it answers false. */
void symbols_functions(struct symbols *s, const char *prefix,
                       bool (*f)(void *arg, const char *name, uint64_t addr, uint64_t size), void *arg);

/* The same for its global variables. */
void symbols_variables(struct symbols *s, bool (*f)(void *arg, const char *name, uint64_t addr, uint64_t size),
                       void *arg);

/* Calls f for the section of that name of each module that has one. */
void symbols_sections(struct symbols *s, const char *name, void (*f)(void *arg, uint64_t lo, uint64_t hi), void *arg);

/* The name of an object: "x", "a[3]", "s.next", "buf+8"; NULL when no symbol covers the address.  On stacks, those are
 * known that the execution at hand touched, see symbols_focus(). */
const char *symbols_data(struct symbols *s, uint64_t addr);

/* From here on, stacks are those of the execution that touched these. */
void symbols_focus(struct symbols *s, const struct wire_local *locals, uint32_t n);

/* From here on, memory of the heap is that of the execution that touched these blocks: symbols_data() names it by type
 * and field ("node.next", of the second such block "node#2.next"), or by where it was allocated ("malloc@queue.c:40+8"). */
void symbols_focus_heap(struct symbols *s, const struct wire_block *blocks, uint32_t n);

/* The block of the heap that an address is in: "node (32 bytes, allocated at queue.c:40 by T1)"; NULL: in none that is
 * known. */
const char *symbols_block(struct symbols *s, uint64_t addr);

/* What an access at this site reads or writes, as the source has it: "q->head.next"; NULL: not known, or one of several. */
const char *symbols_expression(struct symbols *s, uint64_t site, bool write);

/* Where the source has the call site, if it is one of the program itself and the line table says so: the file without its folder,
 * line and column. */
bool symbols_site(struct symbols *s, uint64_t site, const char **file, uint32_t *line, uint32_t *column);

/* Facts from elsewhere (a trace file) that take precedence over what the modules say; the strings are copied.  Places are reported
 * innermost first, one call for each frame.  0, or -1 when out of memory. */
int symbols_know_place(struct symbols *s, uint64_t site, const struct symbols_frame *frame);
int symbols_know_data(struct symbols *s, uint64_t addr, const char *name);
int symbols_know_function(struct symbols *s, uint64_t pc, const char *name);
int symbols_know_block(struct symbols *s, uint64_t addr, const char *text);
int symbols_know_expression(struct symbols *s, uint64_t site, bool write, const char *text);

struct observed {   /* a variable of --observe, or one element of an array */
        char *name; /* "x", "a[3]" */
        uint64_t addr;
        uint32_t size; /* 1, 2, 4 or 8 */
        bool is_signed, is_pointer, is_bool, is_char;
};

/* The cells of a variable of --observe ("x", "a", "a[2]", "s.field"): one per element of an array.  The caller frees
 * the array and each `name`.  0, or -1 with one line for the user in `why`. */
MUST_CHECK int symbols_observe(struct symbols *s, const char *name, struct observed **out, uint32_t *n,
                               struct error *why);

#endif
