/* See formats.h. */
#include "static/formats.h"

#include <stddef.h>
#include <string.h>

/* The text that a constant points to the begin of, or NULL. */
static const char *text_of(LLVMValueRef v, size_t *length)
{
        LLVMValueRef part;

        while (LLVMIsAConstantExpr(v)) {
                for (int i = 1, n = LLVMGetNumOperands(v); i < n; i++)
                        if (!LLVMIsNull(LLVMGetOperand(v, (unsigned)i)))
                                return NULL;
                v = LLVMGetOperand(v, 0);
        }
        part = LLVMIsAGlobalVariable(v) && LLVMIsGlobalConstant(v) ? LLVMGetInitializer(v) : NULL;
        return part && LLVMIsConstantString(part) ? LLVMGetAsString(part, length) : NULL;
}

char formats_conversion(LLVMValueRef format, unsigned k)
{
        static const char flags[] = "#0- +'.123456789hlLqjzt", known[] = "diouxXeEfFgGaAcsp";
        size_t n = 0;
        const char *at = text_of(format, &n), *end = at ? at + n : NULL;

        for (unsigned argument = 0; at && (at = memchr(at, '%', (size_t)(end - at)));) {
                for (at++; at < end && *at && (strchr(flags, *at) || *at == '*'); at++)
                        argument += *at == '*';
                if (at < end && *at == '%') {
                        at++;
                        continue;
                }
                if (at == end || !*at ||
                    !strchr(known, *at)) /* arguments by number, or none, or one that is written to */
                        return 0;
                if (argument++ == k)
                        return *at;
                at++;
        }
        return 0;
}
