/*
 * See path.h.
 *
 * A path is walked component by component: a name of the table decides, else the machine is asked whether there is a symbolic
 * link.  A directory of the table may have one of the machine under it, whose names are its own unless the table has others.
 */
#include "rt/files/path.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "rt/files/names.h"
#include "rt/files/node.h"
#include "rt/util.h"

#define MAX_LINKS 40u

static char directory[PATH_SIZE], saved_directory[PATH_SIZE];
static bool moved, saved_moved; /* the working directory is one that the kernel does not have */

const char *path_directory(void)
{
        return moved ? directory : NULL;
}

void path_set_directory(const char *path)
{
        moved = path != NULL;
        if (path)
                rt_text(directory, sizeof directory, path);
}

void path_save(void)
{
        saved_moved = moved;
        rt_text(saved_directory, sizeof saved_directory, directory);
}

void path_restore(void)
{
        path_set_directory(saved_moved ? saved_directory : NULL);
}

static unsigned length(const char *s)
{
        unsigned n = 0;

        while (s[n])
                n++;
        return n;
}

static bool append(char *to, const char *component)
{
        unsigned n = length(to), k = length(component);

        if (n + k + 2 > PATH_SIZE)
                return false;
        to[n] = '/';
        rt_copy(to + n + 1, component, k + 1);
        return true;
}

/* Cuts the last component off; returns it. */
static char *cut(char *path)
{
        unsigned n = length(path);

        while (n && path[n - 1] != '/')
                n--;
        if (n)
                path[n - 1] = 0;
        return path + n;
}

/* Where the machine has a canonical path: under the nearest directory of the table. */
static void find_real(struct place *p)
{
        static char at[PATH_SIZE];
        unsigned n = length(p->path);
        int node;

        rt_copy(at, p->path, n + 1);
        for (;;) {
                if (names_find(at, &node)) {
                        const char *under = node >= 0 ? names_text_at(node_at(node)->text) : "";
                        bool is_dir = node >= 0 && node_at(node)->kind == NODE_DIR && *under;

                        p->real[0] = 0;
                        if (is_dir && length(under) + length(p->path) < PATH_SIZE) {
                                rt_text(p->real, PATH_SIZE, under);
                                rt_text(p->real + length(under), PATH_SIZE - length(under), p->path + length(at));
                        }
                        return;
                }
                if (!*at)
                        break;
                cut(at);
        }
        rt_copy(p->real, p->path, n + 1);
}

static bool begins(const char *path, const char *with)
{
        while (*with && *path == *with) {
                path++;
                with++;
        }
        return !*with && (!*path || *path == '/');
}

/* rest: the components that follow. */
static bool is_opaque(const char *path, const char *rest)
{
        while (*rest == '/')
                rest++;
        if (begins(path, "/dev"))
                return !begins(path, "/dev/shm") && (path[4] || !begins(rest, "shm"));
        return begins(path, "/proc") || begins(path, "/sys");
}

/* Where a relative path begins. */
static long begin(int dirfd, struct place *p)
{
        char link[64];
        long n;
        int node;

        if (dirfd == AT_FDCWD && moved) {
                rt_text(p->path, PATH_SIZE, directory);
                return 0;
        }
        if (dirfd == AT_FDCWD) {
                n = rt_syscall6(SYS_getcwd, (long)p->path, PATH_SIZE, 0, 0, 0, 0);
                if (n < 0 || p->path[0] != '/')
                        return n < 0 ? n : -ENOENT;
        } else {
                node = node_of_descriptor(dirfd);
                if (node >= 0) {
                        if (node_at(node)->kind != NODE_DIR)
                                return -ENOTDIR;
                        rt_text(p->path, PATH_SIZE, names_text_at(node_at(node)->path));
                        return 0;
                }
                rt_format(link, sizeof link, "/proc/self/fd/%u", (uint32_t)dirfd);
                n = rt_syscall6(SYS_readlink, (long)link, (long)p->path, PATH_SIZE - 1, 0, 0, 0);
                if (n < 0)
                        return -EBADF;
                p->path[n] = 0;
                if (p->path[0] != '/')
                        return -ENOTDIR;
        }
        if (!p->path[1])
                p->path[0] = 0; /* the root */
        return 0;
}

/* What there is by the name that was appended. */
enum step { STEP_HERE, STEP_ABSENT, STEP_LINK };

static long look(struct place *p, char *link)
{
        long n;

        if (names_find(p->path, &p->node)) {
                find_real(p);
                if (p->node < 0)
                        return STEP_ABSENT;
                if (node_at(p->node)->kind != NODE_LINK)
                        return STEP_HERE;
                rt_text(link, PATH_SIZE, names_text_at(node_at(p->node)->text));
                return STEP_LINK;
        }
        p->node = -1;
        if (!p->real[0])
                return STEP_ABSENT;
        n = rt_syscall6(SYS_readlink, (long)p->real, (long)link, PATH_SIZE - 1, 0, 0, 0);
        if (n == -EINVAL)
                return STEP_HERE;
        if (n == -ENOENT)
                return STEP_ABSENT;
        if (n < 0)
                return n;
        link[n] = 0;
        return STEP_LINK;
}

/* One component of the path more. */
static long enter(struct place *p, const char *component, char *link)
{
        bool machine = p->real[0] || !p->path[0];

        if (!append(p->path, component) || (machine && !append(p->real, component)))
                return -ENAMETOOLONG;
        return look(p, link);
}

static void leave(struct place *p)
{
        cut(p->path);
        find_real(p);
}

/* Takes the next component off; false: there is none. */
static bool next(char **rest, char *component, bool *last)
{
        unsigned n = 0;

        while (**rest == '/')
                (*rest)++;
        while (**rest && **rest != '/' && n < PATH_SIZE - 1)
                component[n++] = *(*rest)++;
        component[n] = 0;
        *last = true;
        for (const char *c = *rest; *c; c++)
                *last &= *c == '/';
        return n != 0;
}

/* The link takes the place of the component. */
static long follow_link(struct place *p, char *buffer, char **rest, const char *link)
{
        static char joined[2 * PATH_SIZE];
        unsigned n = length(link), k = length(*rest);

        if (n + k + 2 > sizeof joined)
                return -ENAMETOOLONG;
        rt_copy(joined, link, n);
        rt_copy(joined + n, *rest, k + 1);
        rt_copy(buffer, joined, n + k + 1);
        *rest = buffer;
        if (link[0] == '/') {
                p->path[0] = p->real[0] = 0;
        } else {
                leave(p);
        }
        return 0;
}

static void settle(struct place *p)
{
        if (!names_find(p->path, &p->node))
                p->node = -1;
}

static long walk(struct place *p, char *buffer, bool follow)
{
        static char component[PATH_SIZE], link[PATH_SIZE];
        char *rest = buffer;
        unsigned links = 0;
        bool last;

        while (next(&rest, component, &last)) {
                long r;

                p->slash = last && *rest;
                if (component[0] == '.' && !component[1])
                        continue;
                if (component[0] == '.' && component[1] == '.' && !component[2]) {
                        leave(p);
                        continue;
                }
                r = enter(p, component, link);
                if (is_opaque(p->path, rest)) {
                        p->opaque = true;
                        return length(p->real) + length(rest) + 1 > PATH_SIZE
                                       ? -ENAMETOOLONG
                                       : (rt_text(p->real + length(p->real), PATH_SIZE - length(p->real), rest), 0);
                }
                if (r == STEP_LINK && (!last || follow || p->slash)) {
                        if (++links > MAX_LINKS)
                                return -ELOOP;
                        r = follow_link(p, buffer, &rest, link);
                        if (r < 0)
                                return r;
                        continue;
                }
                if (r < 0 || (r == STEP_ABSENT && !last))
                        return r < 0 ? r : -ENOENT;
                if (r == STEP_HERE && p->node >= 0 && node_at(p->node)->kind == NODE_FILE && (!last || p->slash))
                        return -ENOTDIR;
                if (last) {
                        p->absent = r == STEP_ABSENT;
                        return 0;
                }
        }
        settle(p);
        return 0;
}

long path_resolve(int dirfd, const char *path, bool follow, struct place *p)
{
        static char buffer[2 * PATH_SIZE];
        long r = rt_syscall6(SYS_access, (long)path, F_OK, 0, 0, 0, 0);

        if (r == -EFAULT || r == -ENAMETOOLONG)
                return r;
        p->path[0] = p->real[0] = 0;
        p->node = -1;
        p->absent = p->opaque = p->slash = false;
        if (!*path)
                return -ENOENT;
        if (*path != '/' && (r = begin(dirfd, p)) < 0)
                return r;
        find_real(p);
        rt_text(buffer, sizeof buffer, path);
        return walk(p, buffer, follow);
}

void path_parent(const struct place *p, struct place *parent)
{
        rt_text(parent->path, PATH_SIZE, p->path);
        cut(parent->path);
        parent->absent = parent->opaque = parent->slash = false;
        find_real(parent);
        settle(parent);
}
