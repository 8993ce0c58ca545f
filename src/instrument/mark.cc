/* Prefix data, which LLVM's C API does not have. */
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>

extern "C" {
#include "instrument/mark.h"
}

/* As many bytes as functions are aligned to, with the one that ends the text. */
static const char text[16] = "heddle: checked";

void mark_instrumented(LLVMValueRef function)
{
        llvm::Function *f = llvm::unwrap<llvm::Function>(function);

        if (!f->hasPrefixData())
                f->setPrefixData(llvm::ConstantDataArray::getString(f->getContext(), text));
}
