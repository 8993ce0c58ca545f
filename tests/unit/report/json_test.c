/* The object of --json: its fields, its escapes, and that it is one well-formed value whatever the names hold. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "op/op.h"
#include "report/report.h"

static int failed;

static void check(const char *name, int ok)
{
        printf("%s %s\n", ok ? "PASS" : "FAIL", name);
        failed |= !ok;
}

/* A reader of JSON that only says whether it is well-formed: returns what follows the value, or NULL. */
static const char *value(const char *p);

static const char *space(const char *p)
{
        while (p && (*p == ' ' || *p == '\n'))
                p++;
        return p;
}

static const char *string(const char *p)
{
        if (!p || *p++ != '"')
                return NULL;
        for (; *p != '"'; p++) {
                if ((unsigned char)*p < 0x20)
                        return NULL;
                if (*p == '\\' && !strchr("\"\\/bfnrtu", *++p))
                        return NULL;
        }
        return p + 1;
}

static const char *list(const char *p, char close, int keys)
{
        p = space(p + 1);
        if (p && *p == close)
                return p + 1;
        for (;;) {
                if (keys) {
                        p = space(string(space(p)));
                        if (!p || *p++ != ':')
                                return NULL;
                }
                p = space(value(space(p)));
                if (!p)
                        return NULL;
                if (*p == close)
                        return p + 1;
                if (*p++ != ',')
                        return NULL;
        }
}

static const char *value(const char *p)
{
        if (!p)
                return NULL;
        if (*p == '{')
                return list(p, '}', 1);
        if (*p == '[')
                return list(p, ']', 0);
        if (*p == '"')
                return string(p);
        static const char *const words[] = {"null", "true", "false"};
        for (int i = 0; i < 3; i++)
                if (!strncmp(p, words[i], strlen(words[i])))
                        return p + strlen(words[i]);
        char *end;
        strtod(p, &end);
        return end > p && (isdigit((unsigned char)*p) || *p == '-') ? end : NULL;
}

static char *write_json(const struct result *r)
{
        struct report_info info = {.version = "1.0",
                                   .program = "a \"b\"\n\x01\xff\xc3\xa4.c",
                                   .strategy = "dpor",
                                   .memory = "sc",
                                   .preempt = "all"};
        char *text = NULL;
        size_t n;
        FILE *f = open_memstream(&text, &n);

        check("writes", f && report_json(f, &info, r) == 0);
        fclose(f);
        const char *end = space(value(text));
        check("well_formed", end && !*end);
        return text;
}

static int has(const char *text, const char *part)
{
        int ok = strstr(text, part) != NULL;

        if (!ok)
                printf("     no %s in %s\n", part, text);
        return ok;
}

static void safe(void)
{
        struct result r = {.stats = {.executions = 14, .blocked = 3, .complete = true, .seconds = 2, .threads = 4}};
        char *text = write_json(&r);

        check("escapes", has(text, "\"program\": \"a \\\"b\\\"\\n\\u0001\\ufffd\xc3\xa4.c\""));
        check("safe", has(text, "\"verdict\": \"safe\"") && has(text, "\"complete\": true") &&
                              has(text, "\"why_incomplete\": null") && has(text, "\"reasons\": []"));
        check("figures", has(text, "\"executions\": 14") && has(text, "\"blocked\": 3") &&
                                 has(text, "\"per_second\": 7.000000") && has(text, "\"threads\": 4"));
        check("empty_lists", has(text, "\"failures\": []") && has(text, "\"races\": []"));
        check("estimate", has(text, "\"estimate\": {\"executions\": null, \"seconds\": null}"));
        check("no_outcomes", !strstr(text, "outcomes"));
        free(text);
}

static void unknown(void)
{
        uint64_t values[2] = {0xfffffffb, 200};
        struct outcome o = {.values = values, .executions = 2, .schedule = "h1:abc123:0x4"};
        struct observed cells[2] = {{.name = "x", .size = 4, .is_signed = true}, {.name = "a[1]", .size = 1}};
        struct result r = {.stats = {.reasons = {.set = REASON_BIT(REASON_TIME) | REASON_BIT(REASON_DEPTH)}},
                           .facts = {.observed = cells, .n_observed = 2},
                           .outcomes = &o,
                           .n_outcomes = 1};
        char *text = write_json(&r);

        check("unknown", has(text, "\"verdict\": \"unknown\"") &&
                                 has(text, "\"why_incomplete\": \"the limit of --time was reached\""));
        check("reasons", has(text, "\"reasons\": [\"the limit of --time was reached\", \"some executions were cut at "
                                   "--depth\"]"));
        check("outcomes", has(text, "{\"state\": {\"x\": -5, \"a[1]\": 200}, \"executions\": 2, "
                                    "\"schedule\": \"h1:abc123:0x4\"}"));
        free(text);
}

static void failure(void)
{
        struct wire_thread th[2] = {
                {.state = WIRE_T_BLOCKED, .op = OP_JOIN, .obj = WIRE_OBJ_THREAD(1), .site = 0x10, .holder = 1},
                {.state = WIRE_T_FAILED, .site = 0x20, .holder = WIRE_NO_ACTOR, .name = "w\xfe"},
        };
        struct wire_failure fl = {.kind = WIRE_FAIL_ASSERTION, .actor = 1, .site = 0x30, .text = "x == \"1\""};
        struct trace t = {.threads = th, .n_threads = 2, .failures = &fl, .n_failures = 1, .end = WIRE_END_FAILED};
        struct finding fd = {.kind = FINDING_ASSERTION,
                             .count = 3,
                             .execution = 7,
                             .preemptions = 2,
                             .schedule = "h1:abc123:0x4,1!",
                             .trace = &t};
        struct result r = {.findings = &fd, .n_findings = 1};
        char *text = write_json(&r);

        check("failure", has(text, "\"verdict\": \"failure\"") && has(text, "\"kind\": \"assertion\"") &&
                                 has(text, "assertion `x == \\\"1\\\"' failed"));
        check("where", has(text, "\"where\": {\"file\": null, \"line\": null, \"function\": \"0x30\"}"));
        check("threads",
              has(text, "{\"id\": 0, \"name\": \"main\", \"state\": \"blocked\"") &&
                      has(text, "\"waits_for\": {\"operation\": \"join\", \"object\": \"T1\", \"held_by\": 1}") &&
                      has(text, "\"name\": \"w\\ufffd\""));
        check("numbers", has(text, "\"preemptions\": 2, \"execution\": 7, \"count\": 3"));
        free(text);
}

static void beyond_measure(void)
{
        struct result r = {.stats = {.share = 1e-300, .expected_executions = INFINITY, .expected_seconds = INFINITY}};
        char *text = write_json(&r);

        check("beyond_measure", has(text, "\"estimate\": {\"executions\": null, \"seconds\": null, \"share\": "));
        free(text);
}

int main(void)
{
        beyond_measure();
        safe();
        unknown();
        failure();
        return failed;
}
