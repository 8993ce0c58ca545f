/* See keep.h.  A line of the text has 16 bytes as one number in base 16: the shortest form that all assemblers read. */
#include "instrument/keep.h"

#include <llvm-c/BitWriter.h>
#include <llvm/Config/llvm-config.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "instrument/pass.h"

#define ROW  16u
#define LINE (8u + 2 * ROW + 1) /* characters */

/* 16 bytes, the first of them the lowest. */
static char *put_row(char *at, const unsigned char *bytes, size_t n)
{
        static const char digits[] = "0123456789abcdef";

        at = (char *)memcpy(at, ".octa 0x", 8) + 8;
        for (unsigned i = ROW; i-- > 0;) {
                unsigned char c = i < n ? bytes[i] : 0;
                *at++ = digits[c >> 4];
                *at++ = digits[c & 15];
        }
        *at++ = '\n';
        return at;
}

static char *put_all(char *at, const void *bytes, size_t n)
{
        for (size_t i = 0; i < n; i += ROW)
                at = put_row(at, (const unsigned char *)bytes + i, n - i < ROW ? n - i : ROW);
        return at;
}

char *keep_section(LLVMModuleRef module)
{
        static const char before[] = ".pushsection .debug_heddle_ir,\"\",@progbits\n.p2align 4\n",
                          after[] = ".popsection\n";
        struct {
                char magic[8];
                uint32_t format, major;
                uint64_t length, sum;
        } head = {.format = 1, .major = LLVM_VERSION_MAJOR};
        LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(module);
        size_t n = LLVMGetBufferSize(bitcode);
        char *text = malloc(sizeof before + sizeof after + (n / ROW + 4) * LINE), *at = text;

        if (!text)
                pass_fail("out of memory");
        memcpy(head.magic, "heddleIR", sizeof head.magic);
        head.length = n;
        head.sum = hash_bytes(HASH_FNV_START, LLVMGetBufferStart(bitcode), n);
        at = (char *)memcpy(at, before, sizeof before - 1) + sizeof before - 1;
        at = put_all(at, &head, sizeof head);
        at = put_all(at, LLVMGetBufferStart(bitcode), n);
        memcpy(at, after, sizeof after);
        LLVMDisposeMemoryBuffer(bitcode);
        return text;
}
