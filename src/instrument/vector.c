/*
 * Vector accesses under a mask.
 *
 * Value, mask and pointers go into variables of the frame, and a hook copies the lanes whose mask is set, one by one: each
 * is an access of its own.  AVX's own intrinsics have the mask in the sign bits of the lanes, AVX-512's in a bit each.  An intrinsic that is not
 * known here and has a pointer is announced as not covered, where it is executed.
 */
#include "instrument/vector.h"

#include <string.h>

enum shape {
        LOAD,          /* (pointer, mask, what lanes have that are not loaded) */
        STORE,         /* (value, pointer, mask) */
        GATHER,        /* (pointers, mask, what lanes have that are not loaded) */
        SCATTER,       /* (value, pointers, mask) */
        INDEXED,       /* (what lanes have that are not loaded, base, indices, mask, scale) */
        INDEXED_STORE, /* (base, mask, indices, value, scale) */
        EXPAND,   /* (pointer, mask, what lanes have that are not loaded): lanes are next to each other in memory */
        COMPRESS, /* (value, pointer, mask) */
};

/* The arguments of a known intrinsic; -1: it has none. */
static const struct known {
        const char *begins;
        enum shape shape;
        int value, pointer, mask;
} known[] = {
        {"llvm.masked.load.", LOAD, 3, 0, 2},
        {"llvm.masked.store.", STORE, 0, 1, 3},
        {"llvm.masked.gather.", GATHER, 3, 0, 2},
        {"llvm.masked.scatter.", SCATTER, 0, 1, 3},
        {"llvm.x86.avx.maskload.", LOAD, -1, 0, 1},
        {"llvm.x86.avx2.maskload.", LOAD, -1, 0, 1},
        {"llvm.x86.avx.maskstore.", STORE, 2, 0, 1},
        {"llvm.x86.avx2.maskstore.", STORE, 2, 0, 1},
        {"llvm.x86.sse2.maskmov.dqu", STORE, 0, 2, 1},
        {"llvm.x86.avx2.gather.", INDEXED, 0, 1, 3},
        {"llvm.x86.avx512.mask.gather", INDEXED, 0, 1, 3},
        {"llvm.x86.avx512.mask.scatter", INDEXED_STORE, 3, 0, 1},
        {"llvm.masked.expandload.", EXPAND, 2, 0, 1},
        {"llvm.masked.compressstore.", COMPRESS, 0, 1, 2},
};

/* Intrinsics with pointers that access nothing of the program's. */
static const char *const harmless[] = {
        "llvm.dbg.",
        "llvm.lifetime.",
        "llvm.invariant.",
        "llvm.prefetch",
        "llvm.assume",
        "llvm.objectsize.",
        "llvm.launder.",
        "llvm.strip.",
        "llvm.ptrmask.",
        "llvm.ptr.annotation.",
        "llvm.var.annotation",
        "llvm.stacksave",
        "llvm.stackrestore",
        "llvm.eh.",
        "llvm.frame",
        "llvm.returnaddress",
        "llvm.va_",
        "llvm.expect.",
        "llvm.type.test",
        "llvm.experimental.noalias",
        "llvm.threadlocal.",
        "llvm.init.trampoline",
        "llvm.adjust.trampoline",
        "llvm.x86.sse2.clflush",
        "llvm.x86.clflushopt",
        "llvm.x86.clwb",
        "llvm.clear_cache",
        "llvm.localescape",
        "llvm.localrecover",
        "llvm.is.constant.",
        "llvm.sponentry",
        "llvm.addressofreturnaddress",
        "llvm.thread.pointer",
        "llvm.x86.sse.stmxcsr",
        "llvm.x86.sse.ldmxcsr",
};

static bool has_pointer(LLVMValueRef call)
{
        for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
                LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, i));
                if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
                        type = LLVMGetElementType(type);
                if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
                        return true;
        }
        return false;
}

static const struct known *find(const char *name)
{
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
                if (pass_begins(name, known[i].begins))
                        return &known[i];
        return NULL;
}

bool vector_is(LLVMValueRef call)
{
        const char *name = pass_callee_name(call);
        LLVMValueRef f = pass_callee(call);

        if (!pass_begins(name, "llvm.") || !has_pointer(call))
                return false;
        for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
                if (pass_begins(name, harmless[i]))
                        return false;
        return !pass_accesses_nothing(f);
}

/* The value in a variable of the frame, as a pointer to bytes. */
static LLVMValueRef in_frame(struct pass *p, LLVMValueRef value, unsigned number)
{
        LLVMValueRef variable = pass_slot(p, LLVMTypeOf(value), number);

        LLVMBuildStore(p->builder, value, variable);
        return pass_address(p, variable);
}

/* A byte for each lane: is its mask set? */
static LLVMValueRef mask_bytes(struct pass *p, LLVMValueRef mask)
{
        LLVMTypeRef type = LLVMTypeOf(mask), lane = LLVMGetElementType(type);
        unsigned n = LLVMGetVectorSize(type);

        if (LLVMGetTypeKind(lane) != LLVMIntegerTypeKind) {
                lane = LLVMIntTypeInContext(p->context, (unsigned)LLVMSizeOfTypeInBits(p->layout, lane));
                type = LLVMVectorType(lane, n);
                mask = LLVMBuildBitCast(p->builder, mask, type, "");
        }
        if (LLVMGetIntTypeWidth(lane) > 1)
                mask = LLVMBuildICmp(p->builder, LLVMIntSLT, mask, LLVMConstNull(type), "");
        return in_frame(p, LLVMBuildZExt(p->builder, mask, LLVMVectorType(p->byte, n), ""), 1);
}

/* Gathers and scatters of AVX: the pointers of the lanes, base + index * scale, as a variable of the frame.  Lanes without an index are
 * neither loaded nor kept: `value` and `mask` are zero there. */
static LLVMValueRef indexed_pointers(struct pass *p, LLVMValueRef call, LLVMValueRef pointer, LLVMValueRef *value,
                                     LLVMValueRef *mask)
{
        LLVMValueRef indices = LLVMGetOperand(call, 2), all;
        LLVMValueRef base = LLVMBuildPtrToInt(p->builder, pointer, p->i64, "");
        LLVMValueRef scale = LLVMBuildZExt(p->builder, LLVMGetOperand(call, 4), p->i64, "");
        unsigned n = LLVMGetVectorSize(LLVMTypeOf(*value)), n_indices = LLVMGetVectorSize(LLVMTypeOf(indices));

        all = LLVMGetUndef(LLVMVectorType(p->i64, n));
        for (unsigned i = 0; i < n; i++) {
                LLVMValueRef lane = LLVMConstInt(p->i32, i, 0), address;

                if (i >= n_indices) {
                        *value = LLVMBuildInsertElement(
                                p->builder, *value, LLVMConstNull(LLVMGetElementType(LLVMTypeOf(*value))), lane, "");
                        *mask = LLVMBuildInsertElement(p->builder, *mask,
                                                       LLVMConstNull(LLVMGetElementType(LLVMTypeOf(*mask))), lane, "");
                        continue;
                }
                address = LLVMBuildSExtOrBitCast(p->builder, LLVMBuildExtractElement(p->builder, indices, lane, ""),
                                                 p->i64, "");
                address = LLVMBuildAdd(p->builder, base, LLVMBuildMul(p->builder, address, scale, ""), "");
                all = LLVMBuildInsertElement(p->builder, all, address, lane, "");
        }
        return in_frame(p, all, 3);
}

/* The pointers of lanes of which only those are in memory whose mask is set. */
static LLVMValueRef packed_pointers(struct pass *p, LLVMValueRef pointer, LLVMTypeRef type, LLVMValueRef mask)
{
        LLVMValueRef at = LLVMBuildPtrToInt(p->builder, pointer, p->i64, ""), all;
        LLVMValueRef size = pass_number(p, LLVMStoreSizeOfType(p->layout, LLVMGetElementType(type)));
        unsigned n = LLVMGetVectorSize(type);

        all = LLVMGetUndef(LLVMVectorType(p->i64, n));
        for (unsigned i = 0; i < n; i++) {
                LLVMValueRef lane = LLVMConstInt(p->i32, i, 0);
                LLVMValueRef set = LLVMBuildExtractElement(p->builder, mask, lane, "");

                all = LLVMBuildInsertElement(p->builder, all, at, lane, "");
                at = LLVMBuildAdd(p->builder, at,
                                  LLVMBuildMul(p->builder, LLVMBuildZExt(p->builder, set, p->i64, ""), size, ""), "");
        }
        return in_frame(p, all, 3);
}

/* Of a known intrinsic, where the lanes are: in a variable of the frame, except where they follow each other. */
static LLVMValueRef lane_pointers(struct pass *p, LLVMValueRef call, const struct known *k, LLVMValueRef *value,
                                  LLVMValueRef *mask)
{
        LLVMValueRef pointer = LLVMGetOperand(call, (unsigned)k->pointer);

        switch (k->shape) {
        case LOAD:
        case STORE: return pass_address(p, pointer);
        case INDEXED:
        case INDEXED_STORE: return indexed_pointers(p, call, pointer, value, mask);
        case EXPAND:
        case COMPRESS: return packed_pointers(p, pointer, LLVMTypeOf(*value), *mask);
        default: return in_frame(p, pointer, 3);
        }
}

/* Is there a mask for each lane?  There is not where lanes have no index. */
static bool has_masks(LLVMValueRef call, const struct known *k)
{
        return k->value < 0 || LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(call, (unsigned)k->value))) ==
                                       LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(call, (unsigned)k->mask)));
}

static void not_covered(struct pass *p, const char *name)
{
        LLVMValueRef what = LLVMBuildGlobalStringPtr(p->builder, name, "");

        pass_call(p, "__heddle_not_covered", p->void_type, &what, 1);
}

void vector_replace(struct pass *p, LLVMValueRef call)
{
        static const char *const hooks[] = {
                [LOAD] = "__heddle_load_lanes", [STORE] = "__heddle_store_lanes", [GATHER] = "__heddle_gather",
                [SCATTER] = "__heddle_scatter", [INDEXED] = "__heddle_gather",    [INDEXED_STORE] = "__heddle_scatter",
                [EXPAND] = "__heddle_gather",   [COMPRESS] = "__heddle_scatter"};
        const char *name = pass_callee_name(call);
        const struct known *k = find(name);
        LLVMTypeRef type;

        LLVMPositionBuilderBefore(p->builder, call);
        if (!k || !has_masks(call, k)) {
                not_covered(p, name);
                return;
        }
        bool loads = k->shape == LOAD || k->shape == GATHER || k->shape == INDEXED || k->shape == EXPAND;
        LLVMValueRef value = k->value >= 0 ? LLVMGetOperand(call, (unsigned)k->value) : LLVMConstNull(LLVMTypeOf(call));
        LLVMValueRef mask = LLVMGetOperand(call, (unsigned)k->mask);
        LLVMValueRef pointer = lane_pointers(p, call, k, &value, &mask);
        type = LLVMTypeOf(value);
        LLVMValueRef lanes = in_frame(p, value, 2);
        LLVMValueRef args[] = {lanes, pointer, mask_bytes(p, mask),
                               pass_number(p, LLVMStoreSizeOfType(p->layout, LLVMGetElementType(type))),
                               pass_number(p, LLVMGetVectorSize(type))};
        pass_call(p, hooks[k->shape], p->void_type, args, 5);
        if (loads)
                LLVMReplaceAllUsesWith(call, LLVMBuildLoad2(p->builder, type, pass_slot(p, type, 2), ""));
        LLVMInstructionEraseFromParent(call);
}
