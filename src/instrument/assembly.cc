/* See assembly.h.  LLVM's C API does not give the text of inline assembly before version 17. */
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <string>

extern "C" {
#include "instrument/assembly.h"
}

using namespace llvm;

/* That there is such a section stays known where debug information is stripped. */
static const char note[] = ".pushsection .note.heddle,\"a\",@note\n.balign 4\n.long 7, 0, 1\n.asciz \"heddle\"\n.balign 4\n"
                           ".popsection\n";

/* Nothing but comments: it has no code. */
static bool is_empty(const std::string &text)
{
        for (size_t at = 0; at < text.size();) {
                size_t end = text.find('\n', at), first = text.find_first_not_of(" \t\r\n", at);

                if (first == std::string::npos)
                        return true;
                if (first < end && text[first] != '#')
                        return false;
                at = end == std::string::npos ? text.size() : end + 1;
        }
        return true;
}

/* `unique` makes the labels those of one block. */
static std::string marked(const std::string &text, const std::string &unique)
{
        std::string begin = ".Lheddle_asm_begin" + unique, end = ".Lheddle_asm_end" + unique;

        return begin + ":\n" + text + "\n" + end + ":\n.pushsection .debug_heddle_asm,\"\",@progbits\n.quad " + begin +
               ", " + end + "\n.popsection\n";
}

static bool mark_call(Instruction &i)
{
        auto *call = dyn_cast<CallBase>(&i);
        auto *block = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;

        if (!block || is_empty(block->getAsmString()))
                return false;
        call->setCalledOperand(InlineAsm::get(block->getFunctionType(), marked(block->getAsmString(), "${:uid}"),
                                              block->getConstraintString(), block->hasSideEffects(),
                                              block->isAlignStack(), block->getDialect(), block->canThrow()));
        return true;
}

bool assembly_mark(LLVMModuleRef module)
{
        Module &m = *unwrap(module);
        bool any = !is_empty(m.getModuleInlineAsm());

        if (any)
                m.setModuleInlineAsm(marked(m.getModuleInlineAsm(), "_file"));
        for (Function &f : m)
                for (Instruction &i : instructions(f))
                        any |= mark_call(i);
        if (any)
                m.appendModuleInlineAsm(note);
        return any;
}
