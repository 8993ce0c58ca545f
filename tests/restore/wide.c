/* Wide characters: conversion states, wide streams. */
#include "restore.h"

#include <locale.h>
#include <wchar.h>
#include <wctype.h>

static FILE *out;

static void odd(long n)
{
        wchar_t text[16];
        char bytes[32];

        if (n == 0) {
                assert(mbstowcs(text, "h\xc3\xa9", 16) == 2 && text[1] == 0xe9);
                assert(wcstombs(bytes, L"\u20ac", sizeof bytes) == 3);
                assert(mbrlen("\xc3", 1, NULL) == (size_t)-2);
                assert(swprintf(text, 16, L"%ls", L"wide") == 4);
        } else {
                assert(fwide(out, 0) == 0);
                assert(fwprintf(out, L"wide %d\n", 5) == 7);
                assert(towupper(L'a') == L'A');
        }
}

int main(void)
{
        assert(setlocale(LC_ALL, "C.UTF-8"));
        out = fopen("/dev/null", "w");
        restore_run();
        return 0;
}
