/* Assertions and faults: the line, the description, the clean-up and the exit status. */
#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int failed;

static void check(const char *name, int ok)
{
        printf("%s %s\n", ok ? "PASS" : "FAIL", name);
        failed |= !ok;
}

static void clean_up(void)
{
        ssize_t n = write(STDERR_FILENO, "cleaned\n", 8);

        (void)n;
}

static void describe(FILE *out, const void *arg)
{
        fprintf(out, "  seed %d\n", *(const int *)arg);
}

static void describe_wrongly(FILE *out, const void *arg)
{
        (void)out;
        heddle_assert(arg != NULL);
}

static void ends_by_assertion(void)
{
        heddle_assert(1 + 1 == 3);
}

static void ends_described(void)
{
        static const int seed = 17;

        fault_at_end(clean_up);
        fault_describe(describe, &seed);
        heddle_assert(1 + 1 == 3);
}

static void ends_twice(void)
{
        fault_describe(describe_wrongly, NULL);
        heddle_assert(1 + 1 == 3);
}

static void debug_check(void)
{
        heddle_check(1 + 1 == 3);
        exit(0);
}

static char text[4096];

/* Runs `f` in a process of its own; its exit status, with what it printed in `text`. */
static int run(void (*f)(void))
{
        int ends[2], status;
        size_t n = 0;
        ssize_t more;
        pid_t pid;

        fflush(stdout);
        if (pipe(ends))
                return -1;
        pid = fork();
        if (pid == 0) {
                dup2(ends[1], STDERR_FILENO);
                f();
                _exit(0);
        }
        close(ends[1]);
        while ((more = read(ends[0], text + n, sizeof text - 1 - n)) > 0)
                n += (size_t)more;
        text[n] = 0;
        close(ends[0]);
        waitpid(pid, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void)
{
        check("assertion_status", run(ends_by_assertion) == FAULT_STATUS);
        check("assertion_line", strncmp(text, "heddle: internal: tests/unit/base/assert_test.c:", 48) == 0 &&
                                        strstr(text, "ends_by_assertion: this does not hold: 1 + 1 == 3\n"));
        check("described_status", run(ends_described) == FAULT_STATUS);
        check("described_text",
              strstr(text, "\n  version ") && strstr(text, "\n  seed 17\n") && strstr(text, "cleaned\n"));
        check("fault_inside_description", run(ends_twice) == FAULT_STATUS && strstr(text, "arg != NULL"));
#ifdef HEDDLE_DEBUG
        check("debug_check", run(debug_check) == FAULT_STATUS);
#else
        check("debug_check_off", run(debug_check) == 0);
#endif
        return failed;
}
