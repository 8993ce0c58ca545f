/*
 * Explorer and target take turns, so one core serves both, and a hand-over between cores costs many times one on the
 * same core.  But every hand-over on a core that a third process keeps busy may cost that process's time slice.  So the
 * pair watches how much of its time it gets, and moves on when that is little.
 */
#include "target/cpu_affinity.h"

#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define LOOK_SECONDS 0.1
#define FAIR_SHARE   0.7

static double read_clock(clockid_t id)
{
        struct timespec t;

        if (clock_gettime(id, &t))
                return 0;
        return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double cpu_used(int pid)
{
        clockid_t id;
        double used = read_clock(CLOCK_PROCESS_CPUTIME_ID);

        if (pid > 0 && !clock_getcpuclockid((pid_t)pid, &id))
                used += read_clock(id);
        return used;
}

static void move_to(int cpu, int pid)
{
        cpu_set_t set;

        CPU_ZERO(&set);
        CPU_SET(cpu, &set);
        if (pid > 0)
                sched_setaffinity((pid_t)pid, sizeof set, &set);
        sched_setaffinity(0, sizeof set, &set);
}

void core_pin(struct core *c)
{
        CPU_ZERO(&c->allowed);
        c->cpu = sched_getcpu();
        if (sched_getaffinity(0, sizeof c->allowed, &c->allowed) || c->cpu < 0 || c->cpu >= CPU_SETSIZE)
                c->cpu = -1;
        else
                move_to(c->cpu, 0);
        c->wall = 0;
}

void core_publish(const struct core *c, struct wire_down *d)
{
        long n = sysconf(_SC_NPROCESSORS_ONLN);
        cpu_set_t set = c->allowed;

        _Static_assert(sizeof d->cpus == sizeof set, "a bit for each processor");
        if (!CPU_COUNT(&set)) /* the explorer was not pinned */
                sched_getaffinity(0, sizeof set, &set);
        if (d->paths.processors) {
                n = (long)d->paths.processors;
                CPU_ZERO(&set);
                for (long i = 0; i < n && i < CPU_SETSIZE; i++)
                        CPU_SET((size_t)i, &set);
        }
        d->processors = n > 0 ? (uint32_t)n : 0;
        memcpy(d->cpus, &set, sizeof d->cpus);
}

void core_choose(struct core *c, uint32_t index, uint32_t n)
{
        uint32_t cpus = (uint32_t)CPU_COUNT(&c->allowed), skip = cpus ? index % cpus : 0;

        if (c->cpu < 0 || !cpus)
                return;
        c->cpu = 0;
        while (!CPU_ISSET(c->cpu, &c->allowed) || skip-- > 0)
                c->cpu++;
        c->stay = n >= cpus;
        c->wall = 0;
        move_to(c->cpu, 0);
}

void core_unpin(struct core *c)
{
        if (c->cpu >= 0)
                sched_setaffinity(0, sizeof c->allowed, &c->allowed);
}

void core_look(struct core *c, int pid)
{
        double wall = read_clock(CLOCK_MONOTONIC), used, share;
        bool first = c->wall == 0;

        if (c->cpu < 0 || wall - c->wall < LOOK_SECONDS)
                return;
        used = cpu_used(pid);
        share = (used - c->used) / (wall - c->wall);
        c->wall = wall;
        c->used = used;
        if (first || share >= FAIR_SHARE || share < 0 || c->stay || CPU_COUNT(&c->allowed) < 2)
                return;
        do
                c->cpu = (c->cpu + 1) % CPU_SETSIZE;
        while (!CPU_ISSET(c->cpu, &c->allowed));
        move_to(c->cpu, pid);
}
