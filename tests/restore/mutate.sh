#!/bin/sh
# Does the test notice what is not put back?  Breaks one part of the restore at a time, in a copy of the tree, and runs
# the rows of restore.tsv that must turn red.  Arguments: tests/mutations.sh.
# shellcheck source=tests/mutations.sh
. "$(dirname "$0")/../mutations.sh"
mutants=restore-mutants

# noticed ROW...: every row must fail.
noticed() {
        HEDDLE=$tree/build/heddle LIMIT=60 tests/restore/run.sh "$@" >"$log" 2>&1
        green=$(sed -n 's/^PASS //p' "$log" | tr '\n' ' ')
        echo "${green:-red: $*}"
        [ -z "$green" ]
}

mutations_begin
mutation "the program's data stays" src/rt/world/regions.c \
        '/^void regions_restore/,/^}/s/r->way == REGION_COPIED\)/r->start == (char *)heap_state)/' \
        $(awk -F '\t' '!/^#/ && $5 == 4 && $6 == "snapshot" { print $1 }' tests/restore/restore.tsv)
mutation "libc's data stays" src/rt/world/regions.c 's/i < n_dirty; i\+\+\)$/i < 0; i++)/' \
        stdio_buffers locale sorting strings handlers random_numbers users streams
mutation "the heap stays" src/rt/world/snapshot.c '/heap_each_used\(regions_add/d' stdio_buffers directory heap containers
mutation "the state of the heap stays" src/rt/world/snapshot.c '/regions_add\(NULL, heap_state/d' heap containers exceptions
mutation "new descriptors stay open" src/rt/io/descriptor.c 's/if \(!s\)$/if (0)/' \
        fopen_leak directory temporary pipes sockets direct_calls kernel_objects
mutation "closed descriptors stay closed" src/rt/io/descriptor.c 's/else if \(s->backup >= 0\)/else if (0)/' replaced
mutation "offsets stay" src/rt/io/descriptor.c 's/if \(s->offset >= 0\)/if (0)/' \
        stdin_getline stdin_getline_fork stdin_scanf streams
mutation "pipes keep their contents" src/rt/io/descriptor.c 's/if \(s->pipe\) \{/if (0) {/' pipes pipes_fork
mutation "flags stay" src/rt/io/descriptor.c 's/control\(saved\[i\]\.fd, F_SETFL.*$/;/' flags flags_fork
mutation "close-on-exec stays" src/rt/io/descriptor.c 's/control\(saved\[i\]\.fd, F_SETFD.*$/;/' flags
mutation "the working directory stays" src/rt/world/kernel.c 's/\(all \|\| moved\)/(0)/' working_directory direct_calls
mutation "the umask stays" src/rt/world/kernel.c 's/\(all \|\| masked\)/(0)/' working_directory direct_calls
mutation "timers go on" src/rt/world/kernel.c 's/\(all \|\| timed\)/(0)/' limits
mutation "limits stay" src/rt/world/kernel.c 's/if \(limited\)/if (0)/' limits
mutation "the end of data stays" src/rt/memory/area.c 's/if \(moved_brk\)/if (0)/' limits
mutation "mappings stay" src/rt/memory/area.c 's/if \(bump\[i\]\)/if (0)/' mappings iconv
mutation "protection of the heap stays" src/rt/memory/area.c 's/i < n_guards; i/i < 0; i/' heap
mutation "unmapping is not noticed" src/rt/world/restorable.c 's/\|\| !rt\.up->running\)/|| 1)/' unmap_old timer
mutation "actions of signals stay" src/rt/world/signal_state.c \
        's/kernel_action\(sig, &saved\[sig\], NULL\);$/;/' signal_handler jumps
mutation "the signal mask stays" src/rt/world/signal_state.c \
        's/SIG_SETMASK, \(long\)&saved_mask, 0/SIG_BLOCK, 0, 0/' signal_mask
mutation "pending signals stay" src/rt/world/signal_state.c 's/^                drop_pending\(\);/                ;/' signal_mask
mutation "pretended actions stay" src/rt/world/signal_state.c \
        's/rt_copy\(pretended, saved_pretended/rt_copy(saved_pretended, saved_pretended/' alternate_stack
mutation "the pretended stack stays" src/rt/world/signal_state.c 's/pretended_stack = saved_stack;/;/' alternate_stack
mutation "crash handlers are installed" src/rt/world/signal_state.c \
        's/(return rt\.target && sig > 0.*) signal_is_own\(sig\);/\1 0;/
         s/if \(signal_is_own\(sig\)\) \{/if (0) {/' crash_handler
mutation "tables of TLS blocks stay" src/rt/sched/pool.c 's/if \(dtv_of\(s\)->value != s->dtv->value\)/if (0)/' dlopen_tls
mutation "TLS of threads stays" src/rt/sched/pool.c '/sparse_put\(&s->tls/d' tls thread_local
mutation "what was zero stays" src/rt/sparse.c 's/clear\(at \+ r->data, r->zero\);/;/' tls
mutation "shared memory is not refused" src/rt/world/kernel.c 's/m->write && m->shared/0/' shared_mapping shared_mapping_fork
mutation "waiting for a futex is let through" src/rt/world/trap.def '/TRAP\(futex/d' own_lock
mutation "new processes are let through" src/rt/world/trap.def '/TRAP\(clone,/d' own_thread
mutation "the end of the process is let through" src/rt/world/trap.def '/TRAP\(exit/d' quits
mutations_end
