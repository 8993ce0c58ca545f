/*
 * Finds the runtime relative to the program itself, through symlinks and from PATH:
 *
 *     build/heddle      build/libheddle-rt.so            include/
 *     PREFIX/bin/heddle PREFIX/lib/heddle/libheddle-rt.so PREFIX/include/
 *
 * Beside the runtime lie plain/libheddle-rt.so, which programs are linked to, heddle.specs for gcc, and assembler/as, a link
 * to the program, for compilers.
 */
#include "cli/install_paths.h"

#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/list.h"
#include "cli/status.h"

bool place_is_program(const char *path)
{
        struct stat st;

        return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* The headers for programs: a build may be two folders down (build/debug). */
static char *include_of(const char *folder)
{
        static const char *const places[] = {"../include", "../../include"};
        struct stat st;

        for (size_t i = 0; i < sizeof places / sizeof *places; i++)
                if (!stat(list_format("%s/%s/heddle/heddle.h", folder, places[i]), &st))
                        return list_format("%s/%s", folder, places[i]);
        return list_format("%s/%s", folder, places[0]);
}

int place_find(struct place *p)
{
        static const char *const folders[] = {".", "../lib/heddle"};
        char self[PATH_MAX];
        ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

        if (n < 0) {
                status_internal("cannot read /proc/self/exe; is /proc mounted?");
                return -1;
        }
        self[n] = '\0';
        char *folder = dirname(self);
        for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
                p->runtime = list_path(list_format("%s/%s/libheddle-rt.so", folder, folders[i]));
                if (!p->runtime)
                        continue;
                p->lib = dirname(list_format("%s", p->runtime));
                p->include = include_of(folder);
                return 0;
        }
        status_internal("no libheddle-rt.so beside %s or in ../lib/heddle; run make, or install again", folder);
        return -1;
}

const char *place_search_path(void)
{
        static char usual[256];
        const char *path = getenv("PATH");

        if (!path && confstr(_CS_PATH, usual, sizeof usual))
                path = usual;
        return path ? path : "";
}
