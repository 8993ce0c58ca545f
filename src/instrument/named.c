/*
 * Functions that heddle knows by their names: those of the SV-COMP competition, which a program may define itself.  What they mean
 * is that they are called, so each stays a function of its own: it is neither inlined nor optimised, and a call of one that does
 * nothing stays a call.
 */
#include "instrument/named.h"

#include <string.h>

#include "instrument/pass.h"

/* Also as a C++ function: _Z, L if it is static, the length, the name. */
static bool has_meaning(const char *name)
{
        static const char *const names[] = {"reach_error", "assume_abort_if_not", "__VERIFIER_"};

        if (pass_begins(name, "_Z")) {
                name += name[2] == 'L' ? 3 : 2;
                name += strspn(name, "0123456789");
        }
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
                if (pass_begins(name, names[i]))
                        return true;
        return false;
}

static unsigned kind(const char *name)
{
        return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static void keep(LLVMContextRef c, LLVMValueRef f)
{
        static const char *const against[] = {"alwaysinline", "inlinehint", "minsize", "optsize"};
        unsigned all = (unsigned)LLVMAttributeFunctionIndex;

        for (size_t i = 0; i < sizeof against / sizeof *against; i++)
                LLVMRemoveEnumAttributeAtIndex(f, all, kind(against[i]));
        LLVMAddAttributeAtIndex(f, all, LLVMCreateEnumAttribute(c, kind("noinline"), 0));
        LLVMAddAttributeAtIndex(f, all, LLVMCreateEnumAttribute(c, kind("optnone"), 0));
}

bool named_keep(LLVMModuleRef module)
{
        bool any = false;

        for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
                size_t n;

                if (LLVMIsDeclaration(f) || !has_meaning(LLVMGetValueName2(f, &n)))
                        continue;
                keep(LLVMGetModuleContext(module), f);
                any = true;
        }
        return any;
}
