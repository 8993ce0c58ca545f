/*
 * Named semaphores, within the process: a program that starts finds none, whatever other processes have made.
 *
 * To open, close or unlink one is a write of the name space.  What is done with an open one is in sem.c.
 */
#include "rt/sync/named_sem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdarg.h>
#include <sys/stat.h>

#include "rt/fault.h"
#include "rt/memory/access.h"
#include "rt/notes.h"
#include "rt/real.h"
#include "rt/sync/object.h"
#include "rt/threads.h"
#include "rt/util.h"

#define MAX_NAMED 64u
#define MAX_NAME  256u

struct named {
        sem_t sem;
        uint32_t refs; /* how often it is open */
        bool linked;   /* its name can be opened */
        char name[MAX_NAME];
};

static struct named all[MAX_NAMED];
static uint64_t names_cell __attribute__((aligned(8)));

void *named_state(size_t *size)
{
        *size = ex.n_named * sizeof *all;
        return all;
}

/* The name without its slashes in front; NULL: it is none. */
static const char *plain_name(const char *name)
{
        const char *p;

        while (*name == '/')
                name++;
        for (p = name; *p; p++)
                if (*p == '/')
                        return NULL;
        return *name && (size_t)(p - name) < MAX_NAME - 4 ? name : NULL;
}

static bool same(const char *a, const char *b)
{
        while (*a && *a == *b) {
                a++;
                b++;
        }
        return *a == *b;
}

static struct named *find(const char *name)
{
        for (uint32_t i = 0; i < ex.n_named; i++)
                if (all[i].linked && same(all[i].name, name))
                        return &all[i];
        return NULL;
}

static void *failed(int err)
{
        errno = err;
        return NULL;
}

static sem_t *create(const char *name, unsigned value, uintptr_t site)
{
        struct thread *t = rt_cur;
        struct named *n;
        struct object *o;

        if (value > SEM_VALUE_MAX)
                return failed(EINVAL);
        if (ex.n_named == MAX_NAMED)
                rt_refuse("more than 64 named semaphores");
        n = &all[ex.n_named++];
        rt_zero(n, sizeof *n);
        rt_text(n->name, sizeof n->name, name);
        n->linked = true;
        n->refs = 1;
        o = object_get(&n->sem, OP_OBJ_SEM);
        o->state = value;
        o->vtime = t->clock.vtime;
        t->pend.site = site;
        object_note(t, o, OP_SEM_INIT);
        rt_name_object(&n->sem, n->name);
        return &n->sem;
}

RT_EXPORT sem_t *sem_open(const char *name, int flags, ...)
{
        struct named *n;
        unsigned mode = 0, value = 0;
        va_list args;

        va_start(args, flags);
        if (flags & O_CREAT) {
                mode = va_arg(args, unsigned);
                value = va_arg(args, unsigned);
        }
        va_end(args);
        if (!rt_cur)
                return RT_REAL(sem_open)(name, flags, mode, value);
        name = plain_name(name);
        if (!name)
                return failed(EINVAL);
        access_locked(&names_cell, sizeof names_cell, RT_SITE());
        n = find(name);
        if (n && (flags & O_CREAT) && (flags & O_EXCL))
                return failed(EEXIST);
        if (n) {
                n->refs++;
                return &n->sem;
        }
        return flags & O_CREAT ? create(name, value, RT_SITE()) : failed(ENOENT);
}

RT_EXPORT int sem_close(sem_t *s)
{
        if (!rt_cur)
                return RT_REAL(sem_close)(s);
        access_locked(&names_cell, sizeof names_cell, RT_SITE());
        for (uint32_t i = 0; i < ex.n_named; i++)
                if (&all[i].sem == s && all[i].refs) {
                        all[i].refs--;
                        return 0;
                }
        errno = EINVAL;
        return -1;
}

RT_EXPORT int sem_unlink(const char *name)
{
        struct named *n;

        if (!rt_cur)
                return RT_REAL(sem_unlink)(name);
        access_locked(&names_cell, sizeof names_cell, RT_SITE());
        name = plain_name(name);
        n = name ? find(name) : NULL;
        if (!n) {
                errno = ENOENT;
                return -1;
        }
        n->linked = false;
        return 0;
}
