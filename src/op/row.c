/* The table of operations as data, from op.def. */
#include "op/row.h"

/* The words of the columns. */
enum {
#define FLAG(name) name = OPF_##name,
#include "op/flag.def"
#undef FLAG
        OWNED = OPK_OWNED,
        LOCKED = OPK_LOCKED,
        NAMELESS = OPK_NAMELESS,
};

enum { /* the flags of each kind of object */
#define OBJECT(name, text, flags) KIND_##name = (flags),
#include "op/op.def"
};

const struct op_kind op_kinds[OP_OBJ_KINDS] = {
#define OBJECT(name, text, flags) [OP_OBJ_##name] = {text, flags},
#include "op/op.def"
};

/* Operations of plugins: each acquires what came before at its object, releases if it changed that, and is a fence. */
#define USER_ROW                                                                                     \
        {                                                                                            \
                .text = "?", .mode = WIRE_MODE_NONE, .object = OP_OBJ_USER, .seen = OP_SEEN_SHARED,  \
                .progress = OP_REPEATS, .drains = OP_DRAINS, .order = OP_MEETS, .flags = OPF_FENCES, \
        }

const struct op_row op_rows[256] = {
#define OP(name, word, how, kind, may_wait, is_seen, makes, drain, orders, bits, does) \
        [OP_##name] = {.text = word,                                                   \
                       .verb = does,                                                   \
                       .mode = WIRE_MODE_##how,                                        \
                       .object = OP_OBJ_##kind,                                        \
                       .waits = OP_##may_wait,                                         \
                       .seen = OP_##is_seen,                                           \
                       .progress = OP_##makes,                                         \
                       .drains = OP_##drain,                                           \
                       .order = OP_##orders,                                           \
                       .flags = (uint32_t)(bits) | (KIND_##kind & OPK_LOCKED ? (uint32_t)OPF_FENCES : 0u)},
#include "op/op.def"
        [OP_COUNT... 255] = USER_ROW,
};

_Static_assert((int)OP_COUNT <= (int)OP_USER, "built-in operations have come to the numbers of users'");
_Static_assert(OP_USER + OP_USER_MAX <= 256, "an entry holds the number of an operation in 8 bits");

bool op_known(uint32_t op)
{
        return op < OP_COUNT || op_user_known(op);
}

const char *op_name(uint32_t op)
{
        return op < OP_COUNT ? op_rows[op].text : op_user_name(op);
}
