/* A result that contradicts itself ends with a fault; one that does not passes. */
#include "verdict/result_check.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../events.h"
#include "base/fault.h"

static struct trace trace;
static struct finding finding;

static struct result safe(void)
{
        struct result r = {0};

        r.stats.complete = true;
        r.stats.executions = 3;
        r.stats.classes = 2;
        r.stats.transitions = 5;
        r.stats.events = 8;
        return r;
}

static struct result failing(void)
{
        static char schedule[] = "h1:";
        struct result r = safe();

        trace = (struct trace){.text = ""};
        finding = (struct finding){
                .count = 1, .execution = 1, .failure = UINT32_MAX, .schedule = schedule, .trace = &trace};
        r.findings = &finding;
        r.n_findings = 1;
        return r;
}

/* Is it a fault? */
static bool faulty(const struct result *r)
{
        int status;
        pid_t pid;

        fflush(stdout);
        pid = fork();
        if (pid == 0) {
                CHECK(freopen("/dev/null", "w", stderr));
                result_check(r);
                _exit(0);
        }
        CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == FAULT_STATUS);
        return WEXITSTATUS(status) == FAULT_STATUS;
}

int main(void)
{
        struct result r = safe();

        CHECK(!faulty(&r));
        r.stats.reasons.set = REASON_BIT(REASON_TIME);
        CHECK(faulty(&r)); /* complete, with a reason not to be */
        r.stats.complete = false;
        CHECK(!faulty(&r));
        r.stats.reasons.set = 0;
        CHECK(faulty(&r)); /* not complete, without a reason */
        r = safe();
        r.stats.executions = 0;
        r.stats.classes = 0;
        CHECK(faulty(&r)); /* nothing was run */
        r = safe();
        r.stats.cut_bound = 1;
        CHECK(faulty(&r)); /* something was cut */
        r = safe();
        r.stats.cut_depth = 1;
        CHECK(faulty(&r));
        r = safe();
        r.stats.classes = 4;
        CHECK(faulty(&r));
        r = safe();
        r.stats.transitions = 9;
        CHECK(faulty(&r));
        r = failing();
        CHECK(!faulty(&r));
        finding.schedule = NULL;
        CHECK(faulty(&r)); /* a failure that cannot be replayed */
        r = failing();
        finding.failure = 0;
        CHECK(faulty(&r)); /* the trace has no failure 0 */
        r = failing();
        finding.count = 0;
        CHECK(faulty(&r));
        r = failing();
        finding.execution = 0;
        CHECK(faulty(&r));
        r = failing();
        finding.trace = NULL;
        CHECK(faulty(&r));
        r = failing();
        finding.kind = FINDING_KINDS;
        CHECK(faulty(&r));
        return 0;
}
