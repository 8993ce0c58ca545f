/* Names and places, tried on this very program: it is built with debug information. */
#include "binary/symbols.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failed;

static void check(const char *name, int ok)
{
        printf("%s %s\n", ok ? "PASS" : "FAIL", name);
        failed |= !ok;
}

enum light { RED, GREEN };
struct pair {
        short first;
        struct {
                long inner[3];
        } second;
        pthread_mutex_t lock;
};

int observed_int = -5;
static unsigned char observed_static;
_Bool observed_bool;
enum light observed_enum;
int *observed_pointer;
_Atomic long observed_atomic;
char observed_text[3];
int observed_matrix[2][3];
double observed_double;
struct pair observed_pair;
struct pair observed_pairs[4];
__int128 observed_wide;
struct {
        int value;
} observed_wrapper;
pthread_mutex_t observed_mutex;

static uint64_t site_inlined;

static __attribute__((noinline)) void hook(void)
{
        site_inlined = (uint64_t)(uintptr_t)__builtin_return_address(0);
        __asm__ volatile("");
}

static inline __attribute__((always_inline)) void inlined_part(void)
{
        hook();
        __asm__ volatile("");
}
enum { INLINED_LINE = __LINE__ - 3 };

static __attribute__((noinline)) void outer_part(void)
{
        inlined_part();
        __asm__ volatile("");
}
enum { OUTER_LINE = __LINE__ - 3 };

static struct wire_module modules[64];
static uint32_t n_modules;

static int collect(struct dl_phdr_info *info, size_t size, void *arg)
{
        (void)size;
        (void)arg;
        if (n_modules == 64)
                return 1;
        struct wire_module *m = &modules[n_modules];
        m->base = info->dlpi_addr;
        if (n_modules == 0) {
                if (readlink("/proc/self/exe", m->path, sizeof(m->path) - 1) < 0)
                        return 1;
        } else {
                snprintf(m->path, sizeof(m->path), "%s", info->dlpi_name);
        }
        n_modules++;
        return 0;
}

static void places(struct symbols *s)
{
        const struct symbols_frame *f;

        outer_part();
        uint32_t n = symbols_frames(s, site_inlined, &f);
        check("inlined_frames", n == 2 && !strcmp(f[0].function, "inlined_part") && f[0].inlined &&
                                        !strcmp(f[1].function, "outer_part") && !f[1].inlined);
        check("inlined_lines", n == 2 && f[0].line == INLINED_LINE && f[1].line == OUTER_LINE);
        check("short_file", n == 2 && f[0].file && !strcmp(f[0].file, "tests/unit/binary/symbols_test.c") &&
                                    !strcmp(f[1].file, f[0].file));
        const struct symbols_frame *again;
        check("cached", symbols_frames(s, site_inlined, &again) == n && again == f);
        check("unknown_site", symbols_frames(s, 0x10, &f) == 1 && !strcmp(f[0].function, "0x10") && !f[0].line);
        struct symbols_frame libc = symbols_place(s, (uint64_t)(uintptr_t)dlsym(RTLD_DEFAULT, "l64a") + 1);
        check("shared_object", !strcmp(libc.function, "l64a"));
        check("function",
              !strcmp(symbols_function(s, (uint64_t)(uintptr_t)hook), "hook") && !symbols_function(s, 0x10));
}

static int is_named(struct symbols *s, const void *p, const char *want)
{
        const char *name = symbols_data(s, (uint64_t)(uintptr_t)p);

        if (!name || strcmp(name, want) != 0)
                printf("     %s, not %s\n", name ? name : "(none)", want);
        return name && !strcmp(name, want);
}

static void data(struct symbols *s)
{
        static int local_static;
        int on_stack;

        check("plain", is_named(s, &observed_int, "observed_int") && is_named(s, &observed_static, "observed_static"));
        check("offset", is_named(s, (char *)&observed_int + 2, "observed_int+2"));
        check("element", is_named(s, &observed_matrix[1][2], "observed_matrix[1][2]"));
        check("member", is_named(s, &observed_pair.second.inner[1], "observed_pair.second.inner[1]") &&
                                is_named(s, &observed_pairs[3].first, "observed_pairs[3].first"));
        check("mutex",
              is_named(s, &observed_mutex, "observed_mutex") && is_named(s, &observed_pair.lock, "observed_pair.lock"));
        local_static++;
        check("local_static", is_named(s, &local_static, "local_static"));
        check("no_name", !symbols_data(s, (uint64_t)(uintptr_t)&on_stack) && !symbols_data(s, 8));
        check("code_is_no_data", !symbols_data(s, (uint64_t)(uintptr_t)hook));
}

static struct observed *cells;
static uint32_t n_cells;
static struct error why;

static void forget(void)
{
        for (uint32_t i = 0; i < n_cells; i++)
                free(cells[i].name);
        free(cells);
        cells = NULL;
        n_cells = 0;
}

static int observes(struct symbols *s, const char *name)
{
        forget();
        why.text[0] = 0;
        int r = symbols_observe(s, name, &cells, &n_cells, &why);
        if (r)
                printf("     %s\n", why.text);
        return r == 0;
}

#define AT(i, p) (cells[i].addr == (uint64_t)(uintptr_t)(p))

static void observing(struct symbols *s)
{
        check("observe_int", observes(s, "observed_int") && n_cells == 1 && AT(0, &observed_int) &&
                                     cells[0].size == 4 && cells[0].is_signed &&
                                     !strcmp(cells[0].name, "observed_int"));
        check("observe_static",
              observes(s, "observed_static") && cells[0].size == 1 && cells[0].is_char && !cells[0].is_signed);
        check("observe_bool", observes(s, "observed_bool") && cells[0].is_bool);
        check("observe_enum", observes(s, "observed_enum") && cells[0].size == 4);
        check("observe_pointer", observes(s, "observed_pointer") && cells[0].is_pointer && cells[0].size == 8);
        check("observe_atomic", observes(s, "observed_atomic") && cells[0].size == 8 && cells[0].is_signed);
        check("observe_array",
              observes(s, "observed_text") && n_cells == 3 && !strcmp(cells[2].name, "observed_text[2]"));
        check("observe_matrix", observes(s, "observed_matrix") && n_cells == 6 && AT(4, &observed_matrix[1][1]) &&
                                        !strcmp(cells[4].name, "observed_matrix[1][1]"));
        check("observe_element", observes(s, "observed_matrix[1][2]") && n_cells == 1 && AT(0, &observed_matrix[1][2]));
        check("observe_member", observes(s, "observed_pairs[2].second.inner") && n_cells == 3 &&
                                        AT(1, &observed_pairs[2].second.inner[1]));
        check("observe_wide", observes(s, "observed_wide") && n_cells == 2 && cells[1].addr == cells[0].addr + 8);
        check("observe_wrapper", observes(s, "observed_wrapper") && n_cells == 1 && cells[0].size == 4);
        check("observe_struct", !observes(s, "observed_pair") && strstr(why.text, "observed_pair.first"));
        check("observe_double", !observes(s, "observed_double") && strstr(why.text, "floating"));
        check("observe_nearest", !observes(s, "observed_imt") && strstr(why.text, "did you mean observed_int?"));
        check("observe_nothing", !observes(s, "no_such_thing_anywhere") && strstr(why.text, "no such"));
        check("observe_range", !observes(s, "observed_matrix[2][0]") && strstr(why.text, "out of range"));
        check("observe_bad_member", !observes(s, "observed_pair.third") && strstr(why.text, "no member third"));
        check("observe_misfit", !observes(s, "observed_int.x") && !observes(s, "observed_int[") && !observes(s, ""));
        forget();
}

static void names(void)
{
        static const char *const rows[][2] = {
                {"plain", "plain"},
                {"memcpy@@GLIBC_2.14", "memcpy"},
                {"_ZN3foo3barEi", "foo::bar"},
                {"_ZN4core4sync6atomic23atomic_compare_exchange17h3356f6458405b3b2E",
                 "core::sync::atomic::atomic_compare_exchange"},
                {"_ZN50_$LT$T$u20$as$u20$core..convert..Into$LT$U$GT$$GT$4into17h0123456789abcdefE", "T::into"},
                {"_RNvMNtNtNtNtCsjrHSEGnQ3l9_3std3sys4sync5mutex5futexNtB2_5Mutex14lock_contended",
                 "std::sys::sync::mutex::futex::Mutex::lock_contended"},
                {"_Znonsense", "_Znonsense"},
                {"_R", "_R"},
        };

        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
                char *pretty = symbols_pretty(rows[i][0]);
                check(rows[i][0], pretty && strcmp(pretty, rows[i][1]) == 0);
                free(pretty);
        }
}

int main(void)
{
        names();
        dl_iterate_phdr(collect, NULL);
        snprintf(modules[n_modules++].path, 248, "/nowhere/at/all");
        struct symbols *s = symbols_create(modules, n_modules);
        if (!s)
                return 1;
        places(s);
        data(s);
        observing(s);
        symbols_destroy(s);
        struct symbols *none = symbols_create(NULL, 0);
        check("no_modules", none && !symbols_data(none, 0x1000) && !observes(none, "x") && strstr(why.text, "-g"));
        symbols_destroy(none);
        return failed;
}
