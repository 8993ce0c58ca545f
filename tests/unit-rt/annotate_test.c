/* Annotations, the SV-COMP names, assertions, and calls that are refused. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "heddle/heddle.h"
#include "stub.h"

void reach_error(void);
void __VERIFIER_assume(int condition);
int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
bool __VERIFIER_nondet_bool(void);
void *__VERIFIER_nondet_pointer(void);

static void assertions(void)
{
        stub_run(1);
        CHECK(FAILS(__assert_fail("x == 1", "f.c", 12, "main")));
        CHECK(!strcmp(stub.text, "f.c:12: main: Assertion `x == 1' failed."));
        CHECK(FAILS(heddle_assert(stub.n_seen == 77)) && strstr(stub.text, "`stub.n_seen == 77'"));
        CHECK(FAILS(reach_error()) && !strcmp(stub.text, "reach_error() was called"));
        CHECK(FAILS(__VERIFIER_assume(0)) && !FAILS(__VERIFIER_assume(1)) && FAILS(heddle_assume(0)));
        stub_pause();
        heddle_assume(0);
}

static void values(void)
{
        CHECK(heddle_choose(5) == 0 && !heddle_running() && __VERIFIER_nondet_int() == 0);
        stub_run(1);
        stub.choice = 3;
        CHECK(heddle_running() && heddle_choose(5) == 3 && FAILS(heddle_choose(0)));
        CHECK(__VERIFIER_nondet_bool() && __VERIFIER_nondet_pointer());
        CHECK(__VERIFIER_nondet_int() == -1 && __VERIFIER_nondet_uchar() == 255);
        CHECK(stub.incomplete & REASON_BIT(REASON_NONDET) && !strcmp(stub.text, "uchar"));
        stub_run(1);
        heddle_write(&stub, 3);
        CHECK(stub.seen[0].op == OP_WRITE && stub.seen[0].addr == &stub && stub.seen[0].size == 3);
        stub_pause();
}

static void refused(void)
{
        int status;
        pid_t pid;

        pid = fork();
        if (pid == 0) { /* six arguments in registers, the others on the stack */
                execl("/bin/sh", "sh", "-c", "test $#$1$2$3$4$5 = 5abcde", "0", "a", "b", "c", "d", "e", NULL);
                _exit(9);
        }
        CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0);
        stub_run(1);
        CHECK(FAILS(daemon(0, 0)) && !strcmp(stub.text, "daemon"));
        CHECK(FAILS(fork()) &&
              !strcmp(stub.text, "fork (check one process at a time, or start the other program by posix_spawn)"));
        stub_pause();
}

int main(void)
{
        assertions();
        values();
        refused();
        return 0;
}
