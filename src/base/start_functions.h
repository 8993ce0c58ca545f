/* Functions that the start files of the C library and the compiler put into every program. */
#ifndef HEDDLE_BASE_START_FUNCTIONS_H
#define HEDDLE_BASE_START_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool start_function(const char *name)
{
        static const char *const names[] = {"_init",
                                            "_fini",
                                            "_start",
                                            "_dl_relocate_static_pie",
                                            "deregister_tm_clones",
                                            "register_tm_clones",
                                            "__do_global_dtors_aux",
                                            "frame_dummy",
                                            "__libc_csu_init",
                                            "__libc_csu_fini",
                                            "atexit",
                                            "at_quick_exit",
                                            "__stack_chk_fail_local"};

        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
                if (strcmp(name, names[i]) == 0)
                        return true;
        return false;
}

#endif
