/*
 * Names of heap memory: the type of a block, which the site table of the instrumenter has for its allocation, and the
 * field in it by DWARF; without a type, where it was allocated.
 *
 * Invariant: a block has the same name for as long as the symbols live.  Blocks of one type are numbered in the order in
 * which they come up.  An address that was in several blocks of an execution, one after the other, has the name of the
 * last one only if they have the same name.
 */
#include <dwarf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/search.h"
#include "binary/modules.h"
#include "binary/symbols.h"
#include "binary/types.h"

#define MAX_DEPTH  64 /* of namespaces */
#define MAX_REUSED 8u /* blocks that one address was in, one after the other */

/* A string that lives as long as the symbols; it takes over `text`.  NULL: out of memory. */
static const char *keep(struct heap_names *h, char *text)
{
        uint64_t key = text ? hash_bytes(0, text, strlen(text)) : 0;
        const char *known;

        for (; text && (known = ptrmap_find(&h->strings, key)); key++)
                if (strcmp(known, text) == 0) {
                        free(text);
                        return known;
                }
        if (text && ptrmap_insert(&h->strings, key, text)) {
                free(text);
                return NULL;
        }
        return text;
}

/* The type of this name, "ns::node", below a unit or namespace. */
static bool find_type(Dwarf_Die *parent, const char *name, Dwarf_Die *type, int depth)
{
        Dwarf_Die die;

        if (depth > MAX_DEPTH || dwarf_child(parent, &die))
                return false;
        do {
                const char *own = dwarf_diename(&die);
                size_t n = own ? strlen(own) : 0;
                Dwarf_Attribute attr;
                int tag = dwarf_tag(&die);

                if (!own || strncmp(own, name, n) != 0)
                        continue;
                if (strncmp(name + n, "::", 2) == 0 && find_type(&die, name + n + 2, type, depth + 1))
                        return true;
                if (name[n] || dwarf_attr(&die, DW_AT_declaration, &attr))
                        continue;
                *type = die;
                if (type_is_struct(&die) || (tag == DW_TAG_typedef && type_of_die(&die, type)))
                        return true;
        } while (dwarf_siblingof(&die, &die) == 0);
        return false;
}

/* The innermost of the calls that led to the allocation whose result has a type. */
static const char *type_of_block(struct symbols *s, const struct wire_block *b, Dwarf_Die *type, bool *typed)
{
        for (uint32_t i = 0; i < b->n_allocated; i++) {
                const struct site_record *r = sites_find(s, b->allocated[i], 'a');
                Dwfl_Module *m = r ? dwfl_addrmodule(s->dwfl, b->allocated[i] - 1) : NULL;
                Dwarf_Addr bias;
                Dwarf_Die *cu = m ? module_unit(m, b->allocated[i] - 1, &bias) : NULL;

                if (!r)
                        continue;
                *typed = cu && find_type(cu, r->text, type, 0) && type_size(type) && b->size >= type_size(type);
                return r->text;
        }
        return NULL;
}

/* The place that the user knows: the innermost with a line outside of the runtime. */
static bool place_of_block(struct symbols *s, const struct wire_block *b, struct symbols_frame *out)
{
        for (uint32_t i = 0; i < b->n_allocated; i++) {
                const struct symbols_frame *frames;
                uint32_t n = symbols_frames(s, b->allocated[i], &frames);

                for (uint32_t k = 0; k < n; k++)
                        if (frames[k].line && !frames[k].runtime && strncmp(frames[k].file, "/usr/", 5) != 0) {
                                *out = frames[k];
                                return true;
                        }
        }
        return false;
}

static const char *base_name(const char *path)
{
        const char *slash = strrchr(path, '/');

        return slash ? slash + 1 : path;
}

/* The number of the block among those of the same name, from 1. */
static uint64_t number_of(struct heap_names *h, const struct wire_block *b, const char *name)
{
        for (uint64_t n = 1, kind = hash_bytes(0, name, strlen(name));; n++) {
                uint64_t key = hash_mix(kind, n);
                void *start = (void *)(uintptr_t)b->start, *known = ptrmap_find(&h->numbers, key);

                if (known == start || (!known && ptrmap_insert(&h->numbers, key, start) == 0))
                        return n;
                if (!known)
                        return 1; /* out of memory */
        }
}

static void name_block(struct symbols *s, struct heap_name *b)
{
        const char *type = type_of_block(s, &b->block, &b->type, &b->typed);
        struct strbuf name = STRBUF_INIT;
        struct symbols_frame at;
        uint64_t n;

        if (type)
                strbuf_puts(&name, type);
        else if (place_of_block(s, &b->block, &at))
                strbuf_printf(&name, "malloc@%s:%u", base_name(at.file), at.line);
        else
                return;
        n = number_of(&s->heap, &b->block, strbuf_str(&name));
        if (n > 1)
                strbuf_printf(&name, "#%" PRIu64, n);
        b->name = keep(&s->heap, strbuf_take(&name));
}

static int by_start(const void *a, const void *b)
{
        const struct heap_name *x = a, *y = b;

        return x->block.start < y->block.start ? -1 : x->block.start > y->block.start;
}

void symbols_focus_heap(struct symbols *s, const struct wire_block *blocks, uint32_t n)
{
        struct heap_names *h = &s->heap;

        free(h->blocks);
        h->n = 0;
        h->blocks = n ? calloc(n, sizeof *h->blocks) : NULL;
        for (uint32_t i = 0; h->blocks && i < n; i++) {
                h->blocks[h->n].block = blocks[i];
                name_block(s, &h->blocks[h->n++]);
        }
        if (h->n)
                qsort(h->blocks, h->n, sizeof *h->blocks, by_start);
}

/* The block that an address is in; NULL: none, or several that differ. */
static const struct heap_name *block_at(const struct heap_names *h, uint64_t addr)
{
        const struct heap_name *found = NULL;
        uint32_t at = SEARCH(i, h->n, h->blocks[i].block.start <= addr);

        for (uint32_t back = 0; back < MAX_REUSED && at-- > 0; back++) {
                const struct heap_name *b = &h->blocks[at];
                if (addr - b->block.start >= b->block.size)
                        continue;
                if (!b->name || (found && strcmp(found->name, b->name) != 0))
                        return NULL;
                found = b;
        }
        return found;
}

const char *heap_names_find(struct symbols *s, uint64_t addr)
{
        const struct heap_name *b = block_at(&s->heap, addr);
        struct strbuf name = STRBUF_INIT;
        uint64_t offset, size;

        if (!b)
                return NULL;
        offset = addr - b->block.start;
        size = b->typed ? type_size((Dwarf_Die *)&b->type) : 0;
        strbuf_puts(&name, b->name);
        if (size && b->block.size >= 2 * size)
                strbuf_printf(&name, "[%" PRIu64 "]", offset / size);
        if (size)
                describe_part(&name, b->type, offset % size);
        else if (offset)
                strbuf_printf(&name, "+%" PRIu64, offset);
        return keep(&s->heap, strbuf_take(&name));
}

const char *symbols_block(struct symbols *s, uint64_t addr)
{
        const char *known = ptrmap_find(&s->heap.said, addr);
        const struct heap_name *b = known ? NULL : block_at(&s->heap, addr);
        struct strbuf text = STRBUF_INIT;
        struct symbols_frame at;
        bool typed;

        if (known || !b)
                return known;
        typed = strncmp(b->name, "malloc@", 7) != 0;
        strbuf_printf(&text, "%s (%" PRIu64 " byte%s, allocated", typed ? b->name : "block", b->block.size,
                      b->block.size == 1 ? "" : "s");
        if (place_of_block(s, &b->block, &at))
                strbuf_printf(&text, " at %s:%u", base_name(at.file), at.line);
        strbuf_printf(&text, " by T%u)", b->block.actor);
        return keep(&s->heap, strbuf_take(&text));
}

void heap_names_fini(struct heap_names *h)
{
        free(h->blocks);
        ptrmap_fini(&h->numbers, NULL);
        ptrmap_fini(&h->said, free);
        ptrmap_fini(&h->strings, free);
}
