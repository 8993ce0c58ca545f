/*
 * The private folder.  Every path in it is written down before the file can exist, in an array that only grows and
 * never moves, so a signal handler can remove all of it at any moment.
 */
#include "cli/temp.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fault.h"
#include "cli/list.h"
#include "cli/status.h"
#include "base/deadline.h"

#define FILES        256
#define SIGNAL_AGAIN 0.3 /* seconds */

static char *volatile folder;
static char *volatile files[FILES];
static volatile sig_atomic_t n_files;

char *temp_file(const char *name)
{
        if (!folder) {
                const char *parent = getenv("TMPDIR");
                char *path = list_format("%s/heddle-XXXXXX", parent && *parent ? parent : "/tmp");
                if (!mkdtemp(path)) {
                        status_usage("cannot make a folder in %s: %s; set TMPDIR to one that can be written",
                                     parent && *parent ? parent : "/tmp", strerror(errno));
                        return NULL;
                }
                folder = path;
        }
        if (n_files == FILES) {
                status_usage("too many sources for one command; build with 'heddle cc' and check the program");
                return NULL;
        }
        char *path = list_format("%s/%s", folder, name);
        files[n_files] = path;
        n_files++;
        return path;
}

void temp_remove(void)
{
        for (int i = 0; i < n_files; i++)
                unlink(files[i]);
        if (folder)
                rmdir(folder);
}

/* The first one ends the exploration, a later one the process.  timeout(1) sends its signal to the process and to its group:
 * two at once are one. */
static void on_signal(int number)
{
        static double first;

        (void)number;
        if (!loop_interrupted) {
                first = clock_now();
                loop_interrupted = 1;
        } else if (clock_now() - first > SIGNAL_AGAIN) {
                temp_remove();
                _exit(STATUS_LIMIT);
        }
}

/* A closed pipe, or a file that is too large, is an error of write(), not our end; a handler, because what we start must not inherit SIG_IGN. */
static void on_write_error(int number)
{
        (void)number;
}

void temp_watch_signals(void)
{
        struct sigaction act = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, old;

        sigaction(SIGINT, &act, NULL); /* a script's shell has what it starts in the background ignore it */
        sigaction(SIGTERM, &act, NULL);
        if (sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler != SIG_IGN) /* nohup */
                sigaction(SIGHUP, &act, NULL);
        act.sa_handler = on_write_error;
        sigaction(SIGPIPE, &act, NULL);
        sigaction(SIGXFSZ, &act, NULL); /* ulimit -f */
        atexit(temp_remove);
        fault_at_end(temp_remove);
}
