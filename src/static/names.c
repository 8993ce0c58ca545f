/* See names.h. */
#include "static/names.h"

#include <ctype.h>
#include <string.h>

size_t names_base(const char *name, size_t length)
{
        size_t n = length;

        while (n && isdigit((unsigned char)name[n - 1]))
                n--;
        return n > 1 && n < length && name[n - 1] == '.' ? n - 1 : length;
}

const char *names_unique(const struct ir *ir, LLVMValueRef variable)
{
        size_t length, base;
        const char *name = LLVMGetValueName2(variable, &length);

        if (LLVMIsDeclaration(variable) || LLVMIsThreadLocal(variable) || strpbrk(name, " \t\n\1") ||
            name_set_count(&ir->variables, name, length) != 1)
                return NULL;
        for (; (base = names_base(name, length)) != length; length = base) /* is it that of another, with a number? */
                if (name_set_count(&ir->variables, name, base) > 1)
                        return NULL;
        return name;
}
