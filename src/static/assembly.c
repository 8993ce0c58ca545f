/* See assembly.h. */
#include "static/assembly.h"

#include <ctype.h>
#include <string.h>

#include "static/names.h"
#include "static/values.h"

static bool is_part(char c)
{
        return isalnum((unsigned char)c) || c == '_' || c == '.';
}

static bool has_word(const char *text, const char *word, size_t n)
{
        for (const char *at = text; n && *at; at++)
                if (strncmp(at, word, n) == 0 && !is_part(at[n]) && (at == text || !is_part(at[-1])))
                        return true;
        return false;
}

static bool is_named(const char *text, LLVMValueRef v)
{
        size_t n;
        const char *name = LLVMGetValueName2(v, &n);

        return has_word(text, name, n) || has_word(text, name, names_base(name, n));
}

void assembly_names(struct program *p, LLVMValueRef code)
{
        char *text = LLVMPrintValueToString(code);
        LLVMModuleRef m = p->ir->module;

        for (LLVMValueRef v = LLVMGetFirstGlobal(m); v; v = LLVMGetNextGlobal(v))
                if (is_named(text, v))
                        points_copy(&p->points, values_node(p, v), POINTS_ESCAPED);
        for (LLVMValueRef v = LLVMGetFirstFunction(m); v; v = LLVMGetNextFunction(v))
                if (is_named(text, v))
                        points_copy(&p->points, values_node(p, v), POINTS_ESCAPED);
        for (LLVMValueRef v = LLVMGetFirstGlobalAlias(m); v; v = LLVMGetNextGlobalAlias(v))
                if (is_named(text, v))
                        points_copy(&p->points, values_node(p, v), POINTS_ESCAPED);
        LLVMDisposeMessage(text);
}

bool assembly_sees_environment(LLVMValueRef code)
{
        static const char *const words[] = {"csr", "stsw", "stcw", "ldcw", "env", "save", "rstor"};
        char *text = LLVMPrintValueToString(code);
        bool found = false;

        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
                found |= strstr(text, words[i]) != NULL;
        LLVMDisposeMessage(text);
        return found;
}
