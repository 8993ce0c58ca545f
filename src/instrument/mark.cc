/* Prefix data, which LLVM's C API does not have. */
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>

extern "C" {
#include "instrument/mark.h"
}

/* As many bytes as functions are aligned to, with the one that ends the text. */
static const char text[16] = "heddle: checked", text_of_all[] = "heddle: checked\1";

void mark_instrumented(LLVMValueRef function, bool all)
{
        llvm::Function *f = llvm::unwrap<llvm::Function>(function);
        llvm::StringRef mark(all ? text_of_all : text, sizeof text);

        if (!f->hasPrefixData())
                f->setPrefixData(llvm::ConstantDataArray::getString(f->getContext(), mark, false));
}
