/*
 * Looks at the machine, one line for each thing: ok, note (heddle runs without it, and how), or MISSING (it cannot run).
 * The last line tells the end; the last look is a whole check of a small program, which proves the others.
 */
#include "cli/doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cc/cc.h"
#include "cli/doctor_program.h"
#include "cli/help.h"
#include "cli/list.h"
#include "cli/install_paths.h"
#include "cli/static.h"
#include "smt/solver.h"
#include "cli/status.h"
#include "cli/temp.h"

#define HEAP_KB   (1L << 20) /* of address space and memory that a small check should find */
#define MAP_COUNT 65530

enum finding { OK, NOTE, MISSING };

/* One line; counts what is missing. */
__attribute__((format(printf, 4, 5))) static void say(int *missing, enum finding finding, const char *what,
                                                      const char *format, ...)
{
        static const char *const words[] = {"ok", "note", "MISSING"};
        va_list ap;

        printf("%-8s %-14s ", words[finding], what);
        va_start(ap, format);
        vprintf(format, ap);
        va_end(ap);
        putchar('\n');
        *missing += finding == MISSING;
}

/* The first line that a command prints; false when it cannot be run. */
static bool first_line(const char *command, char *line, size_t room)
{
        FILE *f = popen(command, "re");
        bool read = f && fgets(line, (int)room, f);

        if (!f || pclose(f) != 0 || !read)
                return false;
        line[strcspn(line, "\n")] = '\0';
        return true;
}

static void look_at_instrumenter(int *missing)
{
        struct place place;
        char line[200];

        if (place_find(&place) < 0 || !first_line("clang --version 2>/dev/null", line, sizeof line))
                return;
        if (cc_instrumenter("clang", &place, false))
                say(missing, OK, "instrumenter", "heddle's own: every access is announced");
        else
                say(missing, NOTE, "instrumenter",
                    "none for this clang, its ThreadSanitizer pass is used: apt-get install llvm-dev, and build heddle "
                    "again");
        if (static_program(&place))
                say(missing, OK, "heddle static", "dependences are read from LLVM's IR (heddle cc --keep-ir)");
        else
                say(missing, NOTE, "heddle static",
                    "built without LLVM: apt-get install llvm-dev, and build heddle again");
}

static void look_at_compilers(int *missing)
{
        static const struct {
                const char *name, *package;
        } all[] = {{"clang", "clang"}, {"gcc", "gcc libc6-dev"}, {"clang++", "clang g++"}, {"g++", "g++"}};
        char line[200];
        bool any = false;

        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
                bool there = first_line(list_format("%s --version 2>/dev/null", all[i].name), line, sizeof line);
                any = any || (there && i < 2);
                if (there)
                        say(missing, OK, all[i].name, "%s", line);
                else if (i == 1 && !any)
                        say(missing, MISSING, "compiler", "neither clang nor gcc: apt-get install clang gcc libc6-dev");
                else
                        say(missing, NOTE, all[i].name, "not installed: apt-get install %s", all[i].package);
        }
        look_at_instrumenter(missing);
        if (first_line("gdb --version 2>/dev/null", line, sizeof line))
                say(missing, OK, "gdb", "%s", line);
        else
                say(missing, NOTE, "gdb", "not installed; only heddle gdb needs it: apt-get install gdb");
        if (smt_version())
                say(missing, OK, "Z3", "%s", smt_version());
        else
                say(missing, NOTE, "Z3",
                    "not there; only --mcr checked needs it: apt-get install libz3-dev, and build heddle again");
        if (access("/usr/lib/debug/.build-id", F_OK) == 0)
                say(missing, OK, "debug symbols", "of system libraries are installed");
        else
                say(missing, NOTE, "debug symbols",
                    "not installed for libc; stacks show less of it: apt-get install libc6-dbg");
}

/* Can a system call filter be set?  Asked in a child, because a filter stays. */
static bool seccomp_allowed(void)
{
        pid_t pid = fork();

        if (pid == 0) {
                struct sock_filter allow = {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
                struct sock_fprog program = {1, &allow};
                if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
                        _exit(1);
                _exit(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0 ? 0 : 1);
        }
        int status;
        return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool randomisation_off(void)
{
        int old = personality(0xffffffffu);

        if (old < 0 || personality((unsigned)old | ADDR_NO_RANDOMIZE) < 0)
                return false;
        personality((unsigned)old);
        return true;
}

static void look_at_kernel(int *missing)
{
        struct utsname name;
        cpu_set_t set;

        uname(&name);
        say(missing, strcmp(name.machine, "x86_64") == 0 ? OK : MISSING, "machine", "%s %s %s", name.sysname,
            name.release, name.machine);
        bool quick = getauxval(AT_HWCAP2) & 2;
        say(missing, quick ? OK : NOTE, "fsgsbase", "%s",
            quick ? "switching threads takes no system call" : "not available: switching threads takes a system call");
        int fd = memfd_create("heddle", MFD_CLOEXEC);
        say(missing, fd >= 0 ? OK : NOTE, "memfd", "%s",
            fd >= 0 ? "shared memory without a file" : "not permitted: a file in /dev/shm or TMPDIR is used");
        if (fd >= 0)
                close(fd);
        if (seccomp_allowed())
                say(missing, OK, "seccomp", "detects at once what a snapshot cannot undo");
        else
                say(missing, NOTE, "seccomp",
                    "not permitted: the whole state is restored after every execution (slower)");
        if (randomisation_off())
                say(missing, OK, "addresses", "randomisation can be switched off");
        else
                say(missing, NOTE, "addresses",
                    "stay random (personality is not permitted): a program that must be "
                    "restarted makes the exploration restart, too");
        bool pinned = sched_getaffinity(0, sizeof set, &set) == 0 && sched_setaffinity(0, sizeof set, &set) == 0;
        say(missing, pinned ? OK : NOTE, "pinning", "%s",
            pinned ? "explorer and program can share a core" : "not permitted: hand-overs between cores are slower");
}

/* The number after `key` in a file of /proc, -1 if it is not there. */
static long proc_number(const char *path, const char *key)
{
        FILE *f = fopen(path, "re");
        char line[256];
        long n = -1;

        while (f && n < 0 && fgets(line, sizeof line, f))
                if (strncmp(line, key, strlen(key)) == 0)
                        n = strtol(line + strlen(key), NULL, 10);
        if (f)
                fclose(f);
        return n;
}

static void look_at_limits(int *missing)
{
        struct rlimit space;
        long available = proc_number("/proc/meminfo", "MemAvailable:");
        long maps = proc_number("/proc/sys/vm/max_map_count", "");

        if (available >= 0)
                say(missing, available >= HEAP_KB ? OK : NOTE, "memory", "%ld MiB available%s", available / 1024,
                    available >= HEAP_KB ? "" : "; large explorations need more");
        if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
                say(missing, NOTE, "address space",
                    "limited to %llu MiB (ulimit -v); heaps need much more address space: lift the limit",
                    (unsigned long long)space.rlim_cur >> 20);
        if (maps >= 0)
                say(missing, maps >= MAP_COUNT ? OK : NOTE, "max_map_count", "%ld%s", maps,
                    maps >= MAP_COUNT ? "" : "; programs with many threads need 65530 (sysctl vm.max_map_count)");
        if (proc_number("/proc/sys/vm/overcommit_memory", "") == 2)
                say(missing, NOTE, "overcommit", "is off (vm.overcommit_memory=2): large heaps may be refused");
}

static void look_at_places(int *missing)
{
        const char *parent = getenv("TMPDIR");
        struct statvfs fs;
        struct place place;

        parent = parent && *parent ? parent : "/tmp";
        if (access("/proc/self/exe", F_OK) != 0)
                say(missing, MISSING, "/proc", "is not mounted: mount -t proc proc /proc");
        else if (place_find(&place) < 0)
                say(missing, MISSING, "runtime", "libheddle-rt.so was not found: run make, or install again");
        else
                say(missing, OK, "runtime", "%s", place.runtime);
        if (access(parent, W_OK) != 0)
                say(missing, MISSING, "TMPDIR", "%s cannot be written: set TMPDIR to a folder that can", parent);
        else if (statvfs(parent, &fs) == 0 && (fs.f_flag & ST_NOEXEC))
                say(missing, MISSING, "TMPDIR", "%s is mounted noexec: set TMPDIR to a folder where programs may run",
                    parent);
        else
                say(missing, OK, "TMPDIR", "%s", parent);
}

/* A program of two threads is compiled and explored by this very heddle. */
static void try_it(int *missing)
{
        static const char text[] =
                "#include <pthread.h>\nint x;\nvoid *f(void *p) { x++; return p; }\n"
                "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x++; pthread_join(t, 0);\n"
                "return 0; }\n";
        char line[200] = "";
        char *source = temp_file("doctor.c");
        FILE *f = source ? fopen(source, "we") : NULL;

        if (!f || fputs(text, f) < 0 || fclose(f) != 0) {
                say(missing, MISSING, "a check", "cannot write a source: %s", strerror(errno));
                return;
        }
        struct list self = {0};
        list_add(&self, list_path("/proc/self/exe"));
        const char *program = list_quote(&self);
        if (first_line(list_format("%s check --quiet %s 2>/dev/null", program, source), line, sizeof line)) {
                say(missing, OK, "a check", "%s", line); /* notes go to standard error */
                return;
        }
        (void)first_line(list_format("%s check --quiet %s 2>&1 >/dev/null", program, source), line, sizeof line);
        say(missing, MISSING, "a check", "of a small program fails: %s", line);
}

int doctor_main(char **argv)
{
        int missing = 0;

        if (argv[0] && strcmp(argv[0], "--help") == 0)
                return help_command(stdout, "doctor", false);
        if (argv[0] && argv[0][0] == '-')
                return status_usage("doctor has no option '%s'; leave it out", argv[0]);
        if (argv[0] && argv[1])
                return status_usage("doctor takes one program, not also '%s'", argv[1]);
        if (argv[0])
                return doctor_program(argv[0]);
        temp_watch_signals();
        look_at_kernel(&missing);
        look_at_compilers(&missing);
        look_at_places(&missing);
        look_at_limits(&missing);
        if (missing == 0)
                try_it(&missing);
        puts(missing == 0 ? "heddle can run here." : "heddle cannot run here: see the lines marked MISSING.");
        return missing == 0 ? STATUS_SAFE : STATUS_USAGE;
}
