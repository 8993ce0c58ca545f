/* A run in detail shows the standard error of one execution; otherwise the file holds that of several, whose number is bounded. */
#include "target/printed.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/stream.h"
#include "target/target_status.h"

#define ERRORS_RUNS 256u /* runs whose standard error is kept at a time */

static int make(const char *name, int *file, struct error *why)
{
        int fd = spawn_fd_high(spawn_memory(name));

        if (fd < 0 || fcntl(fd, F_SETFL, O_APPEND) < 0)
                return spawn_error(why, "cannot make a file for what the program prints, to compare executions "
                                        "(--outputs off does not)");
        *file = fd + 1;
        return TARGET_OK;
}

int printed_init(struct printed_files *p, struct spawn *spawn, struct error *why)
{
        int rc;

        if (spawn->config->outputs == OUTPUTS_OFF)
                return TARGET_OK;
        printed_fini(p);
        rc = make("stdout", &p->out, why);
        if (rc == TARGET_OK)
                rc = make("stderr", &p->err, why);
        spawn->out_fd = p->out - 1;
        spawn->err_fd = p->err - 1;
        return rc;
}

void printed_fini(struct printed_files *p)
{
        if (p->out)
                close(p->out - 1);
        if (p->err)
                close(p->err - 1);
        *p = (struct printed_files){0};
}

/* By where the last write left it, which is quicker than fstat. */
static bool is_empty(int fd)
{
        return lseek(fd, 0, SEEK_END) == 0;
}

int printed_empty(struct printed_files *p, bool detail, struct error *why)
{
        bool errors = p->err && (detail || ++p->runs % ERRORS_RUNS == 0);
        bool output = p->out && !p->nothing && !is_empty(p->out - 1); /* of a run whose output nobody asked for */

        if ((output && ftruncate(p->out - 1, 0) < 0) || (errors && ftruncate(p->err - 1, 0) < 0))
                return spawn_error(why, "cannot empty the files for what the program prints");
        p->nothing = false;
        return TARGET_OK;
}

bool printed_any(struct printed_files *p)
{
        p->nothing = p->nothing || !p->out || is_empty(p->out - 1);
        return !p->nothing;
}

size_t printed_output(struct printed_files *p, uint64_t *hash, char *text, size_t size)
{
        char buffer[16384];
        size_t total = 0;
        ssize_t n;

        if (!printed_any(p))
                return 0;
        while ((n = pread(p->out - 1, buffer, sizeof buffer, (off_t)total)) > 0) {
                if (total < size)
                        memcpy(text + total, buffer, (size_t)n < size - total ? (size_t)n : size - total);
                *hash = stream_hash(*hash, buffer, (size_t)n);
                total += (size_t)n;
        }
        return total;
}

void printed_errors(const struct printed_files *p, char *text, size_t size)
{
        struct stat st;
        off_t from;
        ssize_t n = 0;

        if (p->err && !fstat(p->err - 1, &st)) {
                from = st.st_size > (off_t)size - 1 ? st.st_size - ((off_t)size - 1) : 0;
                n = pread(p->err - 1, text, size - 1, from);
        }
        text[n > 0 ? n : 0] = 0;
}
