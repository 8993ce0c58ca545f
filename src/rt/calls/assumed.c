/*
 * What leads outside of the program: files and sockets.  They are used as they are; that they answer the same in every
 * execution is assumed, and said.  What was read before the snapshot is part of it, so a descriptor counts that is open
 * then, or is opened later.  Standard input is put back by heddle, channels are modelled, and output is not checked.
 */
#include "rt/calls/assumed.h"

#include <sys/syscall.h>

#include "rt/rt.h"
#include "rt/util.h"
#include "rt/io/channel.h"
#include "rt/io/descriptor.h"

static bool begins(const char *s, const char *with)
{
        while (*with && *s == *with) {
                s++;
                with++;
        }
        return !*with;
}

static bool same(const char *a, const char *b)
{
        return begins(a, b) && begins(b, a);
}

/* What is outside by this name, NULL: nothing. */
static const char *outside(const char *link)
{
        if (begins(link, "socket:"))
                return "a socket";
        if (begins(link, "pipe:"))
                return "a pipe from outside";
        if (link[0] != '/' || begins(link, "/dev/null") || begins(link, "/dev/zero") || begins(link, "/memfd:"))
                return NULL;
        return link;
}

void assumed_name(const char *name)
{
        struct wire_up *up = rt.up;

        for (uint32_t i = 0; i < up->n_assumed; i++)
                if (same(up->assumed[i], name))
                        return;
        if (up->n_assumed < WIRE_MAX_ASSUMED)
                rt_text(up->assumed[up->n_assumed++], WIRE_ASSUMED_TEXT, name);
}

void assumed_descriptor(int fd)
{
        char path[64], link[WIRE_ASSUMED_TEXT];
        const char *name;
        long n;

        if (fd <= 2 || channel_at(fd) || descriptor_is_own(fd) || rt.up->n_assumed >= WIRE_MAX_ASSUMED)
                return;
        rt_format(path, sizeof path, "/proc/self/fd/%u", (uint32_t)fd);
        n = rt_syscall6(SYS_readlink, (long)path, (long)link, sizeof link - 1, 0, 0, 0);
        if (n <= 0)
                return;
        link[n] = 0;
        name = outside(link);
        if (name)
                assumed_name(name);
}

static void look(void *arg, int fd)
{
        (void)arg;
        assumed_descriptor(fd);
}

void assumed_init(void)
{
        descriptor_each(look, NULL);
}
