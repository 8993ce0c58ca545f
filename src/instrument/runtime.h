/* The call of the runtime by code that does the common case by itself. */
#ifndef HEDDLE_INSTRUMENT_RUNTIME_H
#define HEDDLE_INSTRUMENT_RUNTIME_H

#include <llvm/IR/Module.h>

#include <cstddef>

namespace heddle
{
/*
 * The call keeps general registers: with an ordinary call every value of the function would have to survive calls, at each
 * access.  Its arguments are in memory (wire/inline.h), so that it needs no register.
 */
class Runtime
{
        llvm::Type *i64;
        llvm::MDNode *rare;
        llvm::Function *access;

      public:
        explicit Runtime(llvm::Module &m);
        /* Of struct wire_now. */
        llvm::Constant *now(std::size_t offset);
        /* Calls it with this word and, unless it is NULL, this address. */
        void call(llvm::Instruction *before, unsigned info, llvm::Value *address);
        /* ... where `is` holds, behind that, at the location of `of`. */
        void call_if(llvm::Value *is, llvm::Instruction *of, unsigned info, llvm::Value *address);
};
} // namespace heddle

#endif
