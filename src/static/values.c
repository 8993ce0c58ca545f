/* See values.h. */
#include "static/values.h"

#define FIRST_PAGES \
        65536 /* bytes that no program maps: numbers below are not addresses, negative ones are the kernel's */

void values_flow(struct program *p, LLVMValueRef from, uint32_t to)
{
        points_copy(&p->points, values_node(p, from), to);
}

static void flow_anywhere(struct program *p, LLVMValueRef from, uint32_t to)
{
        points_constrain(&p->points, values_node(p, from), (struct constraint){C_SHIFT, to, 0, 1});
}

uint32_t values_object(struct program *p, LLVMValueRef v, enum object_kind kind)
{
        uint32_t at = program_index(&p->objects, v);

        if (at != UINT32_MAX)
                return at;
        at = cells_object(&p->points.cells, kind, v);
        if (ptrmap_insert(&p->objects, (uintptr_t)v, (void *)(uintptr_t)(at + 1)))
                memory_out();
        if (kind == OBJECT_GLOBAL)
                p->points.cells.objects.at[at].constant = LLVMIsGlobalConstant(v);
        return at;
}

void values_point_to(struct program *p, uint32_t node, LLVMValueRef v, enum object_kind kind)
{
        points_add(&p->points, node, cells_loc(&p->points.cells, values_object(p, v, kind), 0, 0));
}

uint64_t values_size(const struct program *p, LLVMTypeRef t)
{
        return LLVMTypeIsSized(t) ? LLVMABISizeOfType(p->ir->layout, t) : 0;
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
        return b ? gcd(b, a % b) : a;
}

void values_element(struct program *p, LLVMValueRef gep, int64_t *offset, uint64_t *stride)
{
        LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
        int n = LLVMGetNumOperands(gep);

        *offset = 0;
        *stride = 0;
        for (int i = 1; i < n; i++) {
                LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i), constant = LLVMIsAConstantInt(index);
                if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind && constant) {
                        unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
                        *offset += (int64_t)LLVMOffsetOfElement(p->ir->layout, type, field);
                        type = LLVMStructGetTypeAtIndex(type, field);
                        continue;
                }
                if (i > 1)
                        type = LLVMGetElementType(type);
                if (constant && LLVMGetIntTypeWidth(LLVMTypeOf(index)) <= 64)
                        *offset += LLVMConstIntGetSExtValue(index) * (int64_t)values_size(p, type);
                else
                        *stride = gcd(*stride, values_size(p, type));
        }
        if (*offset <= -CELLS_FAR || *offset >= CELLS_FAR || *stride >= CELLS_FAR) {
                *offset = 0;
                *stride = 1;
        }
}

void values_shift(struct program *p, LLVMValueRef gep, uint32_t to)
{
        int64_t offset;
        uint64_t stride;

        values_element(p, gep, &offset, &stride);
        points_constrain(&p->points, values_node(p, LLVMGetOperand(gep, 0)),
                         (struct constraint){C_SHIFT, to, (int32_t)offset, (uint32_t)stride});
        for (int i = 1, n = LLVMGetNumOperands(gep); i < n;
             i++) /* the distance of two objects leads from one to the other */
                flow_anywhere(p, LLVMGetOperand(gep, (unsigned)i), to);
}

void values_flow_operands(struct program *p, LLVMValueRef v, uint32_t to, bool exact)
{
        for (int i = 0, n = LLVMGetNumOperands(v); i < n; i++) {
                LLVMValueRef o = LLVMGetOperand(v, (unsigned)i);
                if (!o || LLVMIsABasicBlock(o))
                        continue;
                if (exact)
                        values_flow(p, o, to);
                else
                        flow_anywhere(p, o, to);
        }
}

bool values_is_address(LLVMValueRef v)
{
        return LLVMIsAConstantInt(v) &&
               (LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64 || LLVMConstIntGetSExtValue(v) >= FIRST_PAGES);
}

bool values_is_cast(LLVMOpcode o)
{
        return (o >= LLVMTrunc && o <= LLVMBitCast) || o == LLVMAddrSpaceCast || o == LLVMFreeze;
}

static uint32_t constant(struct program *p, LLVMValueRef v)
{
        uint32_t node;

        if (LLVMIsAFunction(v) || LLVMIsAGlobalVariable(v) || LLVMIsAGlobalAlias(v) || LLVMIsAGlobalIFunc(v)) {
                node = points_node(&p->points);
                if (LLVMIsAGlobalAlias(v))
                        values_flow(p, LLVMAliasGetAliasee(v), node);
                else if (LLVMIsAGlobalIFunc(v))
                        points_add(&p->points, node, CELLS_UNKNOWN);
                else
                        values_point_to(p, node, v, LLVMIsAFunction(v) ? OBJECT_FUNCTION : OBJECT_GLOBAL);
                return node;
        }
        if (LLVMIsAConstantExpr(v)) {
                LLVMOpcode o = LLVMGetConstOpcode(v);
                node = points_node(&p->points);
                if (o == LLVMGetElementPtr)
                        values_shift(p, v, node);
                else
                        values_flow_operands(p, v, node, values_is_cast(o));
                if (o == LLVMIntToPtr && values_is_address(LLVMGetOperand(v, 0)))
                        points_add(&p->points, node, CELLS_UNKNOWN);
                return node;
        }
        if (LLVMIsAConstantStruct(v) || LLVMIsAConstantArray(v) || LLVMIsAConstantVector(v)) {
                node = points_node(&p->points);
                values_flow_operands(p, v, node, true);
                return node;
        }
        return POINTS_EMPTY;
}

uint32_t values_node(struct program *p, LLVMValueRef v)
{
        uint32_t node = program_index(&p->nodes, v);

        if (node != UINT32_MAX)
                return node;
        if (LLVMIsAConstant(v)) {
                node = constant(p, v);
                if (node == POINTS_EMPTY)
                        return node;
                if (program_index(&p->nodes, v) != UINT32_MAX)
                        return program_index(&p->nodes, v);
        } else if (LLVMIsAInstruction(v) || LLVMIsAArgument(v)) {
                node = points_node(&p->points);
        } else {
                return POINTS_EMPTY; /* metadata, blocks, assembly */
        }
        program_insert(&p->nodes, v, node);
        return node;
}
