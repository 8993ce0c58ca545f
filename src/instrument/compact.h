/*
 * Compares and counts as one statement of inline assembly each, which calls the runtime in its middle (__heddle_access_at, wire/inline.h).
 *
 * A branch to a block with a call costs a compiler several times as much as the access itself: blocks, edges, registers kept for both
 * ways.  A statement is one instruction to it, and keeps what it has in registers.  Functions do so unless they use registers that the
 * runtime does not keep: those of x87 and MMX, and vectors of more than 16 bytes.
 */
#ifndef HEDDLE_INSTRUMENT_COMPACT_H
#define HEDDLE_INSTRUMENT_COMPACT_H

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Module.h>

#include <map>
#include <string>

namespace heddle
{
class Compact
{
        llvm::Function &f;
        llvm::Type *i64;
        bool is;

        llvm::CallInst *statement(llvm::Instruction *before, const std::string &text, const std::string &constraints,
                                  llvm::Type *result, llvm::ArrayRef<llvm::Value *> in);

      public:
        /* What an access is; its granule is checked. */
        struct Access {
                unsigned size;
                bool write;
                int in_word;    /* how far it is behind the begin of its word; -1: unknown */
                int64_t behind; /* how far it is behind the base */
                llvm::Value *
                        base; /* of its shadow word, less WIRE_SHADOW_SKEW; where in_word is -1, its address; an integer */
                llvm::Value *shadow; /* where in_word is -1: its shadow word, likewise */
                unsigned rest;       /* words that are counted and still to come */
        };

        explicit Compact(llvm::Function &function);
        /* May it be used in the function? */
        explicit operator bool() const
        {
                return is;
        }
        /* From now on the function is a compact one. */
        void begin();
        static bool fits(const Access &a);
        /* What runs in its middle may change these. */
        struct State {
                llvm::Value *mark; /* of struct wire_now; NULL: not asked */
                llvm::Value *left; /* what counts, in a register; NULL: in memory */
        };
        /* Before the access. */
        llvm::CallInst *check(llvm::Instruction *before, const Access &a, State &now);
        /* Counts n. */
        llvm::CallInst *count(llvm::Instruction *before, unsigned n, State &now);
        /* Notes that the function begins, with these addresses (struct wire_call), and that it ends. */
        void begins(llvm::Instruction *before, llvm::Value *site, llvm::Value *frame);
        void ends(llvm::Instruction *before);
};
} // namespace heddle

#endif
