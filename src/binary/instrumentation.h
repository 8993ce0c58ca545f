/*
 * What can be seen of a module of the program: its memory accesses, or its thread calls only.
 */
#ifndef HEDDLE_BINARY_INSTRUMENTATION_H
#define HEDDLE_BINARY_INSTRUMENTATION_H

#include <stdbool.h>

/* What an ELF file holds of instrumentation. */
struct watched_file {
        bool hooks;       /* it calls the hooks of memory accesses */
        bool paths;       /* it records its paths: built by heddle cc --record */
        bool own_tsan;    /* it has the runtime of ThreadSanitizer in itself */
        bool ir;          /* it has kept its IR: built by heddle cc --keep-ir */
        bool asan;        /* it needs that of AddressSanitizer */
        char library[64]; /* the shared runtime of ThreadSanitizer that it names as needed, or empty */
};

/* 0, or -1 when the file cannot be read as ELF. */
int watched_scan(const char *path, struct watched_file *w);

enum watched {
        WATCHED_ACCESSES, /* memory accesses, atomics and thread calls */
        WATCHED_CALLS,    /* thread calls only */
        WATCHED_SYSTEM,   /* libc and the compilers' libraries: what they do is part of the calls */
        WATCHED_OWN,      /* the runtime itself, the kernel's page */
};

enum watched watched_module(const char *path);

#endif
