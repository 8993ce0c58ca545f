/* See blocks.h. */
#include "static/blocks.h"

#include "instrument/pass.h"
#include "static/threads.h"
#include "static/values.h"

#define DEEPEST 8u /* values between a call and the return */

static bool is_call(LLVMValueRef v)
{
        return (LLVMIsACallInst(v) || LLVMIsAInvokeInst(v)) && !pass_begins(program_callee_name(v), "llvm.");
}

/* The result of a call, moved by an offset, is returned. */
static void add_source(struct program *p, uint32_t function, LLVMValueRef call, int64_t offset)
{
        struct function *f = &p->all.at[function];
        uint32_t others = program_index(&p->others, call);

        if (others == UINT32_MAX) {
                others = points_node(&p->points);
                program_insert(&p->others, call, others);
                points_copy(&p->points, others, values_node(p, call));
        }
        for (uint32_t i = 0; i < f->sources.n; i++)
                if (f->sources.at[i].call == call && f->sources.at[i].offset == offset)
                        return;
        vec_need(&f->sources, 1);
        *vec_push(&f->sources) = (struct source){call, offset};
        points_constrain(&p->points, others, (struct constraint){C_SHIFT, f->result, (int32_t)offset, 0});
}

/* Is this the value where it was compared with NULL, and is NULL? */
static bool is_null(LLVMValueRef v, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
        LLVMValueRef last = LLVMGetBasicBlockTerminator(from), test;

        if (LLVMGetInstructionOpcode(last) != LLVMBr)
                return false;
        if (!LLVMIsConditional(last)) { /* one block between */
                LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(from));
                if (!use || LLVMGetNextUse(use) || !LLVMIsABranchInst(LLVMGetUser(use)))
                        return false;
                last = LLVMGetUser(use);
                to = from;
        }
        test = LLVMIsConditional(last) ? LLVMIsAICmpInst(LLVMGetCondition(last)) : NULL;
        if (!test || LLVMGetOperand(test, 0) != v || !LLVMIsNull(LLVMGetOperand(test, 1)) ||
            LLVMGetSuccessor(last, 0) == LLVMGetSuccessor(last, 1))
                return false;
        LLVMIntPredicate is = LLVMGetICmpPredicate(test);
        return (is == LLVMIntEQ && LLVMGetSuccessor(last, 0) == to) ||
               (is == LLVMIntNE && LLVMGetSuccessor(last, 1) == to);
}

static void follow(struct program *p, uint32_t function, LLVMValueRef v, int64_t offset, unsigned depth)
{
        LLVMOpcode o = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMRet;
        int64_t more;
        uint64_t stride;

        if (is_call(v)) {
                add_source(p, function, v, offset);
                return;
        }
        if (o == LLVMPHI && depth < DEEPEST) {
                for (unsigned i = 0; i < LLVMCountIncoming(v); i++) {
                        LLVMValueRef one = LLVMGetIncomingValue(v, i);
                        if (!is_null(one, LLVMGetIncomingBlock(v, i), LLVMGetInstructionParent(v)))
                                follow(p, function, one, offset, depth + 2);
                }
                return;
        }
        if (o == LLVMSelect && depth < DEEPEST) {
                follow(p, function, LLVMGetOperand(v, 1), offset, depth + 2);
                follow(p, function, LLVMGetOperand(v, 2), offset, depth + 2);
                return;
        }
        if (o == LLVMBitCast && depth < DEEPEST) {
                follow(p, function, LLVMGetOperand(v, 0), offset, depth + 1);
                return;
        }
        if (o == LLVMGetElementPtr && depth < DEEPEST) {
                values_element(p, v, &more, &stride);
                if (!stride) {
                        follow(p, function, LLVMGetOperand(v, 0), offset + more, depth + 1);
                        return;
                }
        }
        points_constrain(&p->points, values_node(p, v),
                         (struct constraint){C_SHIFT, p->all.at[function].result, (int32_t)offset, 0});
}

void blocks_return(struct program *p, uint32_t function, LLVMValueRef v)
{
        follow(p, function, v, 0, 0);
}

uint32_t blocks_others(struct program *p, LLVMValueRef call)
{
        uint32_t others = program_index(&p->others, call);

        return others == UINT32_MAX ? values_node(p, call) : others;
}

static uint32_t block_of(struct program *p, LLVMValueRef call, int64_t offset)
{
        uint32_t object = values_object(p, call, OBJECT_HEAP);

        return cells_loc(&p->points.cells, object, offset == BLOCKS_ANYWHERE ? 0 : offset, offset == BLOCKS_ANYWHERE);
}

static bool add_offset(struct function *f, int64_t offset)
{
        for (uint32_t i = 0; i < f->offsets.n; i++)
                if (f->offsets.at[i] == offset || f->offsets.at[i] == BLOCKS_ANYWHERE)
                        return false;
        if (f->offsets.n == BLOCKS_OFFSETS)
                offset = BLOCKS_ANYWHERE;
        vec_need(&f->offsets, 1);
        *vec_push(&f->offsets) = offset;
        return true;
}

/* The k-th place in a new block that a call may return; false: there are no more. */
static bool place(const struct program *p, LLVMValueRef call, uint32_t k, int64_t *offset)
{
        uint32_t at = program_index(&p->calls, call);
        const struct call *c;

        if (at == UINT32_MAX)
                return false;
        c = &p->each_call.at[at];
        *offset = 0;
        if (c->allocates && k-- == 0)
                return true;
        for (uint32_t i = 0; i < c->callees.n; i++) {
                const struct function *f = &p->all.at[c->callees.at[i]];
                if (k < f->offsets.n) {
                        *offset = f->offsets.at[k];
                        return true;
                }
                k -= f->offsets.n;
        }
        return false;
}

static int64_t moved(int64_t offset, int64_t by)
{
        return offset == BLOCKS_ANYWHERE ? offset : offset + by;
}

static void find_offsets(struct program *p)
{
        int64_t offset;

        for (bool changed = true; changed;) {
                changed = false;
                for (uint32_t i = 0; i < p->all.n; i++) {
                        struct function *f = &p->all.at[i];
                        for (uint32_t k = 0; k < f->sources.n; k++)
                                for (uint32_t n = 0; place(p, f->sources.at[k].call, n, &offset); n++)
                                        changed |= add_offset(f, moved(offset, f->sources.at[k].offset));
                }
        }
}

/* The block of `owner` is a value of the call, and of those inside that it comes from. */
static void hand_down(struct program *p, LLVMValueRef owner, LLVMValueRef call, uint32_t round)
{
        uint32_t at = program_index(&p->calls, call);
        int64_t offset;

        if (at == UINT32_MAX || p->each_call.at[at].round == round)
                return;
        p->each_call.at[at].round = round;
        for (uint32_t n = 0; place(p, call, n, &offset); n++)
                points_add(&p->points, values_node(p, call), block_of(p, owner, offset));
        for (uint32_t i = 0; i < p->each_call.at[at].callees.n; i++) {
                const struct function *f = &p->all.at[p->each_call.at[at].callees.at[i]];
                for (uint32_t k = 0; k < f->sources.n; k++)
                        hand_down(p, owner, f->sources.at[k].call, round);
        }
}

/* Others get what the function returns: unknown code, or those that join a thread. */
static void hand_out(struct program *p, uint32_t function, uint32_t to)
{
        const struct function *f = &p->all.at[function];
        int64_t offset;

        for (uint32_t i = 0; i < f->sources.n; i++)
                for (uint32_t n = 0; place(p, f->sources.at[i].call, n, &offset); n++)
                        points_add(&p->points, to, block_of(p, f->sources.at[i].call, offset));
}

bool blocks_divide(struct program *p)
{
        int64_t offset;

        find_offsets(p);
        for (uint32_t i = 0; i < p->each_call.n; i++) {
                const struct call *c = &p->each_call.at[i];
                for (uint32_t k = 0; k < c->callees.n && c->starts; k++)
                        hand_out(p, c->callees.at[k], threads_joined(p, c));
                if (!c->starts && place(p, c->instruction, 0, &offset))
                        hand_down(p, c->instruction, c->instruction, ++p->rounds);
        }
        for (uint32_t i = 0; i < p->all.n; i++)
                if (p->points.cells.objects.at[p->all.at[i].object].escaped)
                        hand_out(p, i, POINTS_ESCAPED);
        return p->points.queue.n > 0;
}
