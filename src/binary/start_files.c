/*
 * Code that is the same in every program.  Invariant: what is recognised by its bytes is the group of functions at the begin
 * of crtbegin.o, from deregister_tm_clones to the jump of frame_dummy to register_tm_clones, and nothing else; code that
 * looks different is taken for the program's.
 */
#include "binary/start_files.h"

#include <string.h>

#include "base/start_functions.h"
#include "binary/x86.h"

#define GROUP 512u /* bytes that the group may have */

bool start_files_function(const char *name)
{
        return start_function(name);
}

bool start_files_mark(const uint8_t *code, size_t size)
{
        static const char mark[START_FILES_MARK] = "heddle: checked";

        return size >= sizeof mark && memcmp(code, mark, sizeof mark - 1) == 0 && code[sizeof mark - 1] <= 1;
}

bool start_files_section(const char *name)
{
        return strncmp(name, ".plt", 4) == 0 || strcmp(name, ".init") == 0 || strcmp(name, ".fini") == 0 ||
               strcmp(name, ".iplt") == 0;
}

/* Bytes, or -1 for any. */
static bool matches(const uint8_t *code, size_t size, const int *pattern, size_t n)
{
        for (size_t i = 0; i < n; i++)
                if (i >= size || (pattern[i] >= 0 && code[i] != pattern[i]))
                        return false;
        return true;
}

#define ANY4 -1, -1, -1, -1
#define MATCHES(code, size, ...) \
        matches(code, size, (const int[]){__VA_ARGS__}, sizeof(const int[]){__VA_ARGS__} / sizeof(int))

static bool is_deregister(const uint8_t *code, size_t size)
{
        return MATCHES(code, size, 0x48, 0x8d, 0x3d, ANY4, 0x48, 0x8d, 0x05, ANY4, 0x48, 0x39, 0xf8) ||
               MATCHES(code, size, 0xb8, ANY4, 0x48, 0x3d, ANY4);
}

static bool is_register(const uint8_t *code, size_t size)
{
        return MATCHES(code, size, 0x48, 0x8d, 0x3d, ANY4, 0x48, 0x8d, 0x35, ANY4, 0x48, 0x29, 0xfe) ||
               MATCHES(code, size, 0xbe, ANY4, 0x48, 0x81, 0xee, ANY4);
}

/* The length of the group that begins here, 0: none does. */
static size_t group(const uint8_t *code, size_t size, uint64_t addr)
{
        if (!is_deregister(code, size))
                return 0;
        for (size_t at = 0; at < size && at < GROUP;) {
                struct x86_flow f = x86_follow(code + at, size - at, addr + at);

                at += f.length ? f.length : 1;
                if (f.target > addr && f.target < addr + at &&
                    is_register(code + (f.target - addr), size - (size_t)(f.target - addr)))
                        return at;
        }
        return 0;
}

/* The length of an instruction that does nothing, or of what is between functions, 0: it is another one. */
static size_t padding(const uint8_t *code, size_t size)
{
        size_t prefixes = 0;

        if (start_files_mark(code, size))
                return START_FILES_MARK;
        if (code[0] == 0 || code[0] == 0xcc)
                return 1;
        while (prefixes < size && (code[prefixes] == 0x66 || code[prefixes] == 0x2e))
                prefixes++;
        if (prefixes < size && code[prefixes] == 0x90)
                return prefixes + 1;
        if (prefixes + 1 < size && code[prefixes] == 0x0f && code[prefixes + 1] == 0x1f)
                return x86_follow(code, size, 0).length;
        return 0;
}

size_t start_files_skip(const uint8_t *code, size_t size, uint64_t addr)
{
        size_t at = 0, n;

        while (at < size) {
                n = padding(code + at, size - at);
                if (!n)
                        n = group(code + at, size - at, addr + at);
                if (!n)
                        break;
                at += n;
        }
        return at;
}
