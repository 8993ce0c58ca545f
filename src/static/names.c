/* See names.h. */
#include "static/names.h"

#include <ctype.h>
#include <string.h>

#include "base/search.h"

size_t names_base(const char *name, size_t length)
{
        size_t n = length;

        while (n && isdigit((unsigned char)name[n - 1]))
                n--;
        return n > 1 && n < length && name[n - 1] == '.' ? n - 1 : length;
}

static int compare(const char *name, const char *other, size_t length)
{
        int order = strncmp(name, other, length);

        return order ? order : name[length] != '\0';
}

/* How many modules define a variable of this name. */
static uint32_t count(const struct ir *ir, const char *name, size_t length)
{
        uint32_t at = SEARCH(i, ir->variables.n, compare(ir->variables.at[i], name, length) < 0), n = 0;

        while (at + n < ir->variables.n && compare(ir->variables.at[at + n], name, length) == 0)
                n++;
        return n;
}

const char *names_unique(const struct ir *ir, LLVMValueRef variable)
{
        size_t length, base;
        const char *name = LLVMGetValueName2(variable, &length);

        if (LLVMIsDeclaration(variable) || LLVMIsThreadLocal(variable) || strpbrk(name, " \t\n\1") ||
            count(ir, name, length) != 1)
                return NULL;
        for (; (base = names_base(name, length)) != length; length = base) /* is it that of another, with a number? */
                if (count(ir, name, base) > 1)
                        return NULL;
        return name;
}
