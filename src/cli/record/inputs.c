/* See inputs.h. */
#include "cli/record/inputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/list.h"
#include "cli/status.h"
#include "record/paths.h"
#include "target/spawn.h"

int inputs_load(const char *file, struct recording *r, struct wire_paths **paths)
{
        struct error why = {""};
        FILE *f = fopen(file, "re");

        if (!f)
                return status_usage("%s: %s", file, strerror(errno));
        int err = recording_read(r, f, &why);
        fclose(f);
        if (err)
                return status_usage("%s: %s", file, why.text);
        if (r->failure == REC_NONE)
                return status_usage("%s: has no failure to reproduce; heddle report %s shows it", file, file);
        *paths = paths_make(r, &why);
        return *paths ? 0 : status_usage("%s: %s", file, why.text);
}

static int give_input(const struct recording *r)
{
        int in = spawn_memory("heddle-input");

        if (in < 0 || write(in, r->input, r->n_input) != (ssize_t)r->n_input || lseek(in, 0, SEEK_SET) != 0 ||
            dup2(in, STDIN_FILENO) < 0)
                return status_internal("cannot copy the recorded input: %s", strerror(errno));
        close(in);
        return 0;
}

int inputs_enter(const struct recording *r, bool input)
{
        clearenv();
        for (size_t i = 0; r->env[i]; i++)
                putenv(r->env[i]);
        if (chdir(r->folder) < 0)
                status_note("%s: %s; the program runs in this folder", r->folder, strerror(errno));
        return input ? give_input(r) : 0;
}

/* It lives as long as the process. */
int inputs_load_given(struct command *c)
{
        struct recording *r;
        struct wire_paths *paths = NULL;
        int err;

        if (!c->options.recording)
                return 0;
        r = list_alloc(sizeof *r);
        err = inputs_load(c->options.recording, r, &paths);
        if (paths)
                paths->stray = c->options.stray;
        c->options.config.paths = paths;
        c->recording = r;
        return err;
}

int inputs_enter_given(const struct command *c)
{
        bool input = !c->options.config.no_stdin;

        if (c->recording && c->recording->n_input && !input)
                status_note("what was recorded of standard input is not given to the program here");
        return c->recording ? inputs_enter(c->recording, input) : 0;
}
