/*
 * Libraries whose accesses are not watched, beside a program whose accesses are; and functions of the C++ library that change
 * the program's objects.  A call of these by watched code is noticed where it is made: its slot in the global offset table leads
 * through the runtime (rt/arch/x86_64/patch.c).
 *
 * Of a program that is not instrumented no accesses are watched anyway, so there only libraries matter that have atomics of
 * their own which could not be made operations (assembly.c).
 *
 * Not noticed: calls by pointers that did not come from such a slot (virtual functions of the C++ library, dlsym).
 */
#include "program/coverage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "binary/imports.h"
#include "binary/instrumentation.h"

/* What calls into a module mean. */
enum calls { CALLS_COVERED, CALLS_NOTICED, CALLS_OF_CXX };

static enum calls judge_module(const struct program *p, const char *path, bool left)
{
        const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
        enum watched watched = watched_module(path);

        if (watched == WATCHED_SYSTEM && p->config->instrumented && strncmp(name, "libstdc++.so", 12) == 0)
                return CALLS_OF_CXX;
        if (watched == WATCHED_SYSTEM && p->config->instrumented && strncmp(name, "libatomic.so", 12) == 0)
                return CALLS_NOTICED; /* those that the runtime does not replace */
        return watched == WATCHED_CALLS && (p->config->instrumented || left) ? CALLS_NOTICED : CALLS_COVERED;
}

static void notice(struct program *p, const struct import *m, const char *path, enum calls calls)
{
        struct wire_down *d = p->target.down;
        const char *slash = strrchr(path, '/');
        bool string = strstr(m->name, "St7__cxx1112basic_stringIcS") != NULL;
        char *pretty = string ? strdup("std::string") : symbols_pretty(m->name);
        char text[WIRE_TEXT];

        snprintf(text, sizeof text, "%.120s of %.60s%s", pretty ? pretty : m->name, slash ? slash + 1 : path,
                 calls == CALLS_OF_CXX ? ", which changes objects of the program"
                                       : ", which was not built by heddle cc");
        free(pretty);
        if (d->n_locked == WIRE_MAX_LOCKED || d->n_unseen == WIRE_MAX_UNSEEN) {
                reasons_add(&p->unwatched, REASON_UNWATCHED, text);
                return;
        }
        memcpy(d->unseen[d->n_unseen], text, sizeof text);
        d->locked[d->n_locked++] = (struct wire_locked){.addr = m->slot,
                                                        .kind = WIRE_LOCKED_UNSEEN,
                                                        .immediate = d->n_unseen++,
                                                        .base = WIRE_LOCKED_NONE,
                                                        .index = WIRE_LOCKED_NONE,
                                                        .plain = 1,
                                                        .slot = 1};
}

/* A call that prints: the runtime announces what it reads, and that it changes the buffer of the stream. */
static void print(struct program *p, const struct import *m, uint64_t synchronized)
{
        struct wire_down *d = p->target.down;

        if (d->n_locked == WIRE_MAX_LOCKED) {
                reasons_add(&p->unwatched, REASON_UNWATCHED, "output to C++ streams");
                return;
        }
        d->locked[d->n_locked++] = (struct wire_locked){.addr = m->slot,
                                                        .kind = WIRE_LOCKED_OUTPUT,
                                                        .immediate = (int64_t)synchronized,
                                                        .base = WIRE_LOCKED_NONE,
                                                        .index = WIRE_LOCKED_NONE,
                                                        .source = (uint8_t)imports_output(m->name),
                                                        .slot = 1};
}

bool outside_is_plugin(const struct program *p, const char *path)
{
        for (uint32_t i = 0; i < p->config->n_ops; i++)
                if (strcmp(p->config->ops[i], path) == 0)
                        return true;
        return false;
}

static int find_calls(struct program *p, struct imports *m, enum calls *calls, const bool *left)
{
        const struct facts *f = p->facts;
        enum watched own = p->config->instrumented ? WATCHED_ACCESSES : WATCHED_CALLS;
        bool any = false;

        for (uint32_t i = 0; i < f->n_modules; i++) {
                calls[i] = judge_module(p, f->modules[i].path, left[i]);
                if (outside_is_plugin(p, f->modules[i].path))
                        calls[i] = CALLS_COVERED;
                any |= calls[i] != CALLS_COVERED;
        }
        if (!any)
                return RUN_OK;
        for (uint32_t i = 0; i < f->n_modules; i++)
                if (watched_module(f->modules[i].path) == own && imports_add(m, f->modules[i].path, f->modules[i].base))
                        return ERROR_FAIL;
        for (uint32_t i = 0; i < f->n_modules; i++)
                imports_define(m, f->modules[i].path, i);
        return RUN_OK;
}

/* The table of the class of buffers that standard streams have, as long as they are synchronised with those of C. */
static const char sync_buffer[] = "_ZTVN9__gnu_cxx18stdio_sync_filebufIcSt11char_traitsIcEEE";

int outside_find(struct program *p, const bool *left)
{
        const struct facts *f = p->facts;
        enum calls *calls = calloc(f->n_modules + 1, sizeof *calls);
        struct imports m = {0};
        int e = calls ? find_calls(p, &m, calls, left) : ERROR_FAIL;

        for (uint32_t i = 0; e == RUN_OK && i < m.all.n; i++) {
                uint32_t k = m.all.at[i].definer;
                if (k == IMPORT_UNKNOWN || calls[k] == CALLS_COVERED)
                        continue;
                if (calls[k] == CALLS_OF_CXX && imports_output(m.all.at[i].name) != WIRE_OUTPUT_NOT) {
                        print(p, &m.all.at[i], imports_address(f->modules[k].path, f->modules[k].base, sync_buffer));
                        continue;
                }
                if ((calls[k] == CALLS_OF_CXX && imports_is_modelled(m.all.at[i].name)) ||
                    strcmp(m.all.at[i].name, "__atomic_is_lock_free") == 0)
                        continue;
                notice(p, &m.all.at[i], f->modules[k].path, calls[k]);
        }
        imports_fini(&m);
        free(calls);
        return e;
}
