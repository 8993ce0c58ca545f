/*
 * Plugins of users' operations in the explorer: they are asked about states of the past.
 *
 * A plugin that crashes here ends heddle with a line that names it: what it was asked decides what is explored, so
 * nothing could be said without the answer.
 */
#include "target/plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "op/op.h"
#include "op/records.h"

#define OWN_WORDS (1u << 22) /* of records of our own, 32 MiB when all are used */

static const char *only_plugin; /* the first one's path, for the report of a crash */

static void say(const char *text)
{
        ssize_t n = write(STDERR_FILENO, text, strlen(text));

        (void)n;
}

static void crashed(int sig)
{
        const char *op = op_user_inside;

        if (!op) {
                signal(sig, SIG_DFL);
                raise(sig);
                return;
        }
        say("heddle: the plugin ");
        say(only_plugin);
        say(" crashed in a function for '");
        say(op);
        say("', asked about a state of the past (or changed a state that it may only read); try --check-ops\n");
        _exit(2);
}

static void watch(void)
{
        static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

        for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) {
                struct sigaction sa = {.sa_handler = crashed, .sa_flags = SA_NODEFER};
                sigaction(signals[i], &sa, NULL);
        }
}

int plugin_load(const struct config *config, struct error *why)
{
        for (uint32_t i = 0; i < config->n_ops; i++) {
                const char *path = config->ops[i], *bad;
                const struct heddle_plugin *p;
                void *handle;

                if (i == WIRE_MAX_PLUGINS)
                        return error_set(why, ERROR_USAGE, "--ops: at most %u plugins can be loaded", WIRE_MAX_PLUGINS);
                if (access(path, R_OK) != 0)
                        return error_set(why, ERROR_USAGE, "--ops %.300s: %s; build it with cc -shared -fPIC", path,
                                         strerror(errno));
                if (strlen(path) >= WIRE_PATH || strpbrk(path, ": "))
                        return error_set(why, ERROR_USAGE,
                                         "--ops %.300s: its path is too long, or has a colon or blank in it; move it",
                                         path);
                handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
                p = handle ? dlsym(handle, "heddle_plugin") : NULL;
                bad = !handle ? dlerror()
                      : !p    ? "it is not a plugin: it lacks HEDDLE_PLUGIN() of heddle/op.h"
                              : op_user_add(p);
                if (bad)
                        return error_set(why, ERROR_USAGE, "--ops %.300s: %.180s", path, bad);
        }
        if (config->n_ops) {
                only_plugin = config->ops[0];
                watch();
        }
        return 0;
}

static struct op_records trace, own;
static uint32_t n_trace, n_own;

int plugin_attach(const struct config *config, struct wire_down *down, const struct wire_up *up)
{
        struct wire_up *view = (struct wire_up *)(uintptr_t)up; /* never written through */

        if (!config->n_ops)
                return 0;
        trace = (struct op_records){view->states, &view->n_states, view->state_heads, WIRE_STATE_WORDS};
        own = (struct op_records){.n = &n_own, .room = OWN_WORDS};
        n_own = 0;
        own.words = calloc(OWN_WORDS, sizeof *own.words);
        own.heads = calloc(WIRE_STATE_HEADS, sizeof *own.heads);
        if (!own.words || !own.heads) {
                free(own.words);
                free(own.heads);
                return -1;
        }
        records_use(&trace, &own);
        for (uint32_t i = 0; i < config->n_ops; i++)
                snprintf(down->plugins[i], WIRE_PATH, "%s", config->ops[i]);
        down->n_plugins = config->n_ops;
        return 0;
}

void plugin_detach(void)
{
        uint32_t n = trace.n && *trace.n <= trace.room ? *trace.n : 0;
        uint64_t *words = n ? malloc(n * sizeof *words) : NULL;

        if (!trace.words)
                return;
        if (words)
                memcpy(words, trace.words, n * sizeof *words);
        n_trace = words ? n : 0;
        trace = (struct op_records){.words = words, .n = &n_trace, .heads = own.heads, .room = n_trace};
        records_use(&trace, &own);
}
