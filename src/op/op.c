/* The op table as data, from op.def. */
#include "op/op.h"

struct op_row {
        const char *name;
        uint8_t mode, object;
};

static const struct op_row rows[OP_COUNT] = {
#define OP(name, text, mode, object) [OP_##name] = {text, WIRE_MODE_##mode, OP_OBJ_##object},
#include "op/op.def"
#undef OP
};

_Static_assert((int)OP_COUNT <= (int)OP_USER, "built-in operations have come to the numbers of users'");

bool op_known(uint32_t op)
{
        return op < OP_COUNT || op_user_known(op);
}

const char *op_name(uint32_t op)
{
        return op < OP_COUNT ? rows[op].name : op_user_name(op);
}

uint32_t op_mode(uint32_t op)
{
        return op < OP_COUNT ? rows[op].mode : (uint32_t)WIRE_MODE_NONE;
}

uint32_t op_object(uint32_t op)
{
        return op < OP_COUNT ? rows[op].object : (uint32_t)OP_OBJ_USER;
}
