/* Trace files: what is written is read; what is cut or damaged is refused. */
#include "trace/trace_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "op/op.h"
#include "binary/symbols.h"

static int failed;

static void check(const char *name, int ok)
{
        printf("%s %s\n", ok ? "PASS" : "FAIL", name);
        failed |= !ok;
}

static char *written;
static size_t size;

static void write_it(void)
{
        struct wire_event events[40];
        struct wire_thread threads[2] = {
                {.state = WIRE_T_DONE, .holder = WIRE_NO_ACTOR},
                {.state = WIRE_T_FAILED,
                 .op = OP_MUTEX_LOCK,
                 .holder = 0,
                 .n_stack = 2,
                 .stack = {0x10, 0x20},
                 .name = "the worker"},
        };
        struct wire_failure failure = {.kind = WIRE_FAIL_ASSERTION, .actor = 1, .event = 40, .text = "a == 100%\n"};
        struct wire_module module = {.base = 0x555555554000, .path = "/tmp/a b"};
        struct wire_name names[2] = {{0, 0, 0}, {0, 0, 1}};
        struct trace t = {.events = events,
                          .n_events = 40,
                          .n_transitions = 20,
                          .threads = threads,
                          .n_threads = 2,
                          .failures = &failure,
                          .n_failures = 1,
                          .modules = &module,
                          .n_modules = 1,
                          .names = names,
                          .n_names = 2,
                          .end = WIRE_END_FAILED,
                          .exit_status = -1,
                          .text = ""};
        char *argv[] = {"./prog", "", "a b%", NULL};
        struct trace_file_info info = {.program = "./prog",
                                       .argv = argv,
                                       .schedule = "h1:abc123:0x4,1!",
                                       .kind = "assertion",
                                       .message = "x\n\xff",
                                       .fingerprint = 0xabc123};

        for (uint32_t i = 0; i < 40; i++)
                events[i] = (struct wire_event){.actor = i / 20,
                                                .op = 1 + i % (OP_COUNT - 1),
                                                .flags = i % 2,
                                                .size = 4,
                                                .obj = i * 8,
                                                .value = UINT64_MAX - i,
                                                .site = 0x1234,
                                                .pos = i,
                                                .choice = i,
                                                .next_choice = WIRE_NO_CHOICE,
                                                .mode = i % 4};
        FILE *f = open_memstream(&written, &size);
        check("writes", f && trace_file_write(f, &t, &info) == 0);
        fclose(f);
}

static int reads(const char *text, size_t n, struct trace **t, struct trace_file_info *info, struct error *why)
{
        FILE *f = fmemopen((void *)text, n ? n : 1, "r");
        int r = trace_file_read(f, t, info, why);

        fclose(f);
        return r;
}

static void round_trip(void)
{
        struct trace *t;
        struct trace_file_info info;
        struct error why = {""};
        int r = reads(written, size, &t, &info, &why);

        check("reads", r == 0);
        if (r) {
                printf("     %s\n", why.text);
                return;
        }
        check("same_info", !strcmp(info.program, "./prog") && !strcmp(info.argv[1], "") &&
                                   !strcmp(info.argv[2], "a b%") && !info.argv[3] &&
                                   !strcmp(info.schedule, "h1:abc123:0x4,1!") && !strcmp(info.kind, "assertion") &&
                                   !strcmp(info.message, "x\n\xff") && info.fingerprint == 0xabc123);
        check("same_trace", t->n_events == 40 && t->n_transitions == 20 && t->events[39].value == UINT64_MAX - 39 &&
                                    t->events[39].op == 1 + 39 % (OP_COUNT - 1) && t->exit_status == -1 &&
                                    t->n_threads == 2 && t->threads[1].stack[1] == 0x20 &&
                                    !strcmp(t->threads[1].name, "the worker") &&
                                    !strcmp(t->failures[0].text, "a == 100%\n") &&
                                    !strcmp(t->modules[0].path, "/tmp/a b") && t->names[1].nth == 1);
        free(t);
        trace_file_info_fini(&info);
}

static void cut(void)
{
        int refused = 1;

        for (size_t n = 1; n + 1 < size; n += 7) {
                struct trace *t;
                struct trace_file_info info;
                struct error why = {""};
                if (reads(written, n, &t, &info, &why) == 0) {
                        refused = 0;
                        free(t);
                        trace_file_info_fini(&info);
                }
        }
        check("cut_files_are_refused", refused);
}

static void damaged(void)
{
        char *text = malloc(size);
        uint32_t state = 7;

        for (int i = 0; text && i < 3000; i++) {
                struct trace *t;
                struct trace_file_info info;
                struct error why;
                memcpy(text, written, size);
                for (int k = 0; k < 3; k++) {
                        state = state * 1664525 + 1013904223;
                        text[(state >> 8) % size] = " \n0f9%e\0x_\377123"[(state >> 4) % 15];
                }
                if (reads(text, size, &t, &info, &why) == 0) {
                        const char *reason;
                        if (trace_validate(t, 0, &reason))
                                check("damaged_file_makes_sense", 0);
                        free(t);
                        trace_file_info_fini(&info);
                }
        }
        check("damaged_files", 1);
        free(text);
}

static void refuses(const char *name, const char *text, const char *part)
{
        struct trace *t;
        struct trace_file_info info;
        struct error why = {""};
        int ok = reads(text, strlen(text), &t, &info, &why) == -1 && strstr(why.text, part);

        if (!ok)
                printf("     \"%s\"\n", why.text);
        check(name, ok);
}

static void names(void)
{
        const char *text = "heddle-trace 1\nend 1 0 0\nplace 10 5 1 0 in a.c\nplace 10 7 0 0 out a.c\ndata 1000 x[1]\n"
                           "function 2000 f\ndone 0\n";
        struct trace *t;
        struct trace_file_info info;
        struct error why;
        const struct symbols_frame *f;

        if (reads(text, strlen(text), &t, &info, &why)) {
                check(why.text, 0);
                return;
        }
        check("names", t->symbols == info.symbols && symbols_frames(t->symbols, 0x10, &f) == 2 &&
                               !strcmp(f[0].function, "in") && f[0].line == 5 && f[0].inlined &&
                               !strcmp(f[1].file, "a.c") && !strcmp(symbols_data(t->symbols, 0x1000), "x[1]") &&
                               !strcmp(symbols_function(t->symbols, 0x2000), "f"));
        free(t);
        trace_file_info_fini(&info);
}

static void recognises(void)
{
        char path[] = "/tmp/heddle-file-test-XXXXXX";
        int fd = mkstemp(path);
        ssize_t n = fd >= 0 ? write(fd, written, size) : -1;

        check("recognises", n == (ssize_t)size && trace_file_is(path) && !trace_file_is("/dev/null") &&
                                    !trace_file_is("/nowhere/at/all"));
        if (fd >= 0)
                close(fd);
        unlink(path);
}

int main(void)
{
        write_it();
        round_trip();
        cut();
        damaged();
        recognises();
        refuses("empty", "", "not a trace file");
        refuses("other_file", "#!/bin/sh\n", "not a trace file");
        refuses("version", "heddle-trace 2\n", "version 2");
        refuses("unknown_line", "heddle-trace 1\nhello\n", "line 2: unknown line `hello'");
        refuses("unknown_op", "heddle-trace 1\nevent 0 jump\n", "unknown operation `jump'");
        refuses("no_thread", "heddle-trace 1\nend 1 0 0\nevent 0 read 1 4 10 0 0 1 0 ffffffff 1\ndone 1\n",
                "malformed");
        refuses("wrong_count", "heddle-trace 1\nend 1 0 0\ndone 1\n", "where there should be 1");
        names();
        refuses("place", "heddle-trace 1\nplace 10 1 0 2 f a.c\n", "too large");
        refuses("twice", "heddle-trace 1\nkind a\nkind b\n", "only once");
        free(written);
        return failed;
}
