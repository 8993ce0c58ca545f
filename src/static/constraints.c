/*
 * See constraints.h.  Every value may carry pointers, whatever its type: copies by bytes and through integers count.  What is not
 * listed here gives a result that may point anywhere.
 */
#include "static/constraints.h"

#include <string.h>

#include "instrument/escape.h"
#include "static/blocks.h"
#include "static/external.h"
#include "static/values.h"

/* A part of what a variable holds at first. */
static void initial(struct program *p, uint32_t object, LLVMValueRef part, int64_t at)
{
        LLVMTypeRef type = LLVMTypeOf(part);
        LLVMTypeKind kind = LLVMGetTypeKind(type);
        uint32_t node;

        if (LLVMIsAConstantStruct(part) || LLVMIsAConstantArray(part)) {
                for (int i = 0, n = LLVMGetNumOperands(part); i < n; i++)
                        initial(p, object, LLVMGetOperand(part, (unsigned)i),
                                at + (int64_t)(kind == LLVMStructTypeKind
                                                       ? LLVMOffsetOfElement(p->ir->layout, type, (unsigned)i)
                                                       : (uint64_t)i * values_size(p, LLVMGetElementType(type))));
                return;
        }
        node = values_node(p, part);
        if (node == POINTS_EMPTY)
                return;
        uint32_t loc = cells_loc(&p->points.cells, object, at, 0);
        uint32_t cell = points_cell(&p->points, loc, (uint32_t)values_size(p, type));
        points_copy(&p->points, node, p->points.cells.cells.at[cell].in);
}

void constraints_variable(struct program *p, LLVMValueRef variable)
{
        LLVMValueRef value = LLVMGetInitializer(variable);
        uint32_t object = values_object(p, variable, OBJECT_GLOBAL);

        if (value && LLVMIsAConstant(value))
                initial(p, object, value, 0);
}

static uint32_t store_size(struct program *p, LLVMTypeRef t)
{
        uint64_t n = LLVMTypeIsSized(t) ? LLVMStoreSizeOfType(p->ir->layout, t) : 0;

        return n && n < CELLS_FAR ? (uint32_t)n : CELLS_WHOLE;
}

static void read_from(struct program *p, LLVMValueRef address, uint32_t to, uint32_t size)
{
        points_constrain(&p->points, values_node(p, address), (struct constraint){C_LOAD, to, (int32_t)size, 0});
}

static void write_to(struct program *p, LLVMValueRef address, LLVMValueRef value, uint32_t size)
{
        uint32_t node = values_node(p, value);

        if (node != POINTS_EMPTY)
                points_constrain(&p->points, values_node(p, address),
                                 (struct constraint){C_STORE, node, (int32_t)size, 0});
}

static void memory(struct program *p, struct escapes *known, LLVMValueRef i, LLVMOpcode o)
{
        unsigned at = o == LLVMStore ? 1 : 0, last = (unsigned)LLVMGetNumOperands(i) - 1;
        LLVMValueRef address = LLVMGetOperand(i, at), value = o == LLVMLoad ? NULL : LLVMGetOperand(i, at ? 0 : last);
        uint32_t size = store_size(p, LLVMTypeOf(value ? value : i));
        uint8_t kind = o == LLVMLoad ? ACCESS_READ : o == LLVMStore ? ACCESS_WRITE : ACCESS_UPDATE;

        external_access(
                p, known,
                (struct access){.instruction = i, .address = address, .value = value, .size = size, .kind = kind});
        if (o != LLVMStore)
                read_from(p, address, values_node(p, i), size);
        if (value)
                write_to(p, address, value, size);
}

/* Numbers with a point are not addresses; all others may be parts of one. */
static bool keeps_address(LLVMOpcode o)
{
        return o != LLVMFAdd && o != LLVMFSub && o != LLVMFMul && o != LLVMFDiv && o != LLVMFRem;
}

static void instruction(struct program *p, struct escapes *known, struct function *f, LLVMValueRef i)
{
        LLVMOpcode o = LLVMGetInstructionOpcode(i);

        switch (o) {
        case LLVMLoad:
        case LLVMStore:
        case LLVMAtomicRMW:
        case LLVMAtomicCmpXchg: memory(p, known, i, o); break;
        case LLVMAlloca: values_point_to(p, values_node(p, i), i, OBJECT_LOCAL); break;
        case LLVMGetElementPtr: values_shift(p, i, values_node(p, i)); break;
        case LLVMCall:
        case LLVMInvoke:
        case LLVMCallBr: external_call(p, known, f, i); break;
        case LLVMPHI:
                for (unsigned k = 0; k < LLVMCountIncoming(i); k++)
                        values_flow(p, LLVMGetIncomingValue(i, k), values_node(p, i));
                break;
        case LLVMSelect:
        case LLVMExtractValue:
        case LLVMInsertValue:
        case LLVMExtractElement:
        case LLVMInsertElement:
        case LLVMShuffleVector: values_flow_operands(p, i, values_node(p, i), true); break;
        case LLVMRet:
        case LLVMBr:
        case LLVMSwitch:
        case LLVMIndirectBr:
        case LLVMUnreachable:
        case LLVMFence:
        case LLVMResume:
        case LLVMICmp:
        case LLVMFCmp: break;
        default:
                if (values_is_cast(o)) {
                        values_flow_operands(p, i, values_node(p, i), true);
                        if (o == LLVMIntToPtr && values_is_address(LLVMGetOperand(i, 0)))
                                points_add(&p->points, values_node(p, i), CELLS_UNKNOWN);
                } else if (o >= LLVMAdd && o <= LLVMXor) {
                        if (keeps_address(o))
                                values_flow_operands(p, i, values_node(p, i), false);
                } else if (o != LLVMFNeg) {
                        points_add(&p->points, values_node(p, i), CELLS_UNKNOWN);
                }
        }
}

static void returns(struct program *p, uint32_t function, LLVMValueRef last)
{
        struct function *f = &p->all.at[function];

        if (!last || LLVMGetInstructionOpcode(last) != LLVMRet || !LLVMGetNumOperands(last))
                return;
        vec_need(&f->returns, 1);
        *vec_push(&f->returns) = LLVMGetOperand(last, 0);
        blocks_return(p, function, LLVMGetOperand(last, 0));
}

void constraints_function(struct program *p, uint32_t function)
{
        struct escapes known = {0};
        LLVMValueRef f = p->all.at[function].value;

        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
                returns(p, function, LLVMGetBasicBlockTerminator(b));
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
                for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                        instruction(p, &known, &p->all.at[function], i);
        escape_fini(&known);
}
