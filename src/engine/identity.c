/*
 * Whose an exploration is.  Everything that decides what the program does and where its memory lies is part of it, but for
 * the files that it reads.
 */
#include "engine/identity.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/stream.h"

/* What a file holds; files that cannot be read (the kernel's own module) count by their name. */
static uint64_t hash_file(uint64_t h, const char *path)
{
        static unsigned char buf[65536];
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        ssize_t n;

        if (fd < 0)
                return stream_hash(h, path, strlen(path));
        while ((n = read(fd, buf, sizeof buf)) > 0)
                h = stream_hash(h, buf, (size_t)n);
        close(fd);
        return h;
}

struct identity identity_of_session(const struct session *s)
{
        const struct config *c = s->config;
        struct identity id = {.options = c->option_hash};

        id.program = hash_file(strlen(c->program), c->program); /* its path is on the stack */
        for (char **a = c->argv; *a; a++)
                id.program = stream_hash(id.program, *a, strlen(*a) + 1);
        id.heddle = hash_file(0, "/proc/self/exe");
        for (char **own = s->program.target.spawn.env + s->program.target.spawn.n_env; *own; own++)
                id.heddle = stream_hash(id.heddle, *own, strcspn(*own, " ")); /* without what fills pages */
        for (uint32_t i = 0; i < s->program.target.spawn.n_env; i++)
                id.environment = stream_hash(id.environment, s->program.target.spawn.env[i],
                                             strlen(s->program.target.spawn.env[i]) + 1);
        for (uint32_t i = 1; i < s->result->facts.n_modules; i++)
                id.heddle = hash_file(id.heddle, s->result->facts.modules[i].path);
        return id;
}

const char *identity_differs(const struct identity *a, const struct identity *b)
{
        if (a->program != b->program)
                return "another program, another build of it, or other arguments";
        if (a->options != b->options)
                return "other options";
        if (a->heddle != b->heddle)
                return "another build of heddle, or other libraries";
        return a->environment != b->environment ? "another environment" : NULL;
}
