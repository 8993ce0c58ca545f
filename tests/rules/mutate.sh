#!/bin/sh
# Do the tests notice a broken rule of limits, reasons, effects, calls, copies, replays or scope?  Arguments: tests/mutations.sh.
# shellcheck source=tests/mutations.sh
. "$(dirname "$0")/../mutations.sh"
mutants=mutants-rules

noticed() {
        noticed_by "$@"
}

mutations_begin
mutations_units

# Limits.
mutation "no loop over a trace looks at the clock" src/base/deadline.h \
        's%^        return late\(\);%        return false;%' faults late
mutation "what was left before it was done counts as done" src/base/deadline.c 's/^( *)told = true;/\1told = false;/' faults late
mutation "races whose hashes meet are one" src/verdict/race_index.c \
        's/ \&\& !race_same\(\&r->races\[r->race_slots\[h\] - 1\], like\)//' unit verdict/race_index_test
mutation "a table of races that grows forgets them" src/verdict/race_index.c \
        's/\*find\(r, \&r->races\[i\]\) = i \+ 1;/(void)i;/' unit verdict/race_index_test
mutation "neighbours in a footprint are joined beyond the first" src/hb/footprint.c \
        's/last->size = \(uint32_t\)\(end - last->obj\);/;/' unit hb/footprint_test
mutation "reads of a footprint are writes" src/hb/footprint.c \
        's/if \(x->mode != y->mode\)/if (false)/' unit hb/footprint_test
mutation "the rows of a footprint are scanned" src/hb/footprint.h \
        's/if \(\(uint64_t\)n \* m > FOOTPRINT_PAIRS\)/if (false)/' unit hb/footprint_test
mutation "a thread too many is started" src/rt/thread/thread.c \
        's/if \(n >= WIRE_MAX_THREADS - 1\)/if (n >= WIRE_MAX_THREADS)/' faults thread_limit thread_limit_others
mutation "a handler does not change its thread's mask" src/rt/world/program_handler.c \
        's/bool known = rt_cur \&\& rt.live;/bool known = false;/' litmus signal_handlers signal_nested
mutation "what is observed while threads run is not compared" src/analysis/race.c \
        's/^( *)d->observed = e->obj;/\1(void)e;/' litmus observe_outlives
mutation "a program that stops itself is waited for" src/target/target.c 's/if \(halted\(t, \&watch\)\)/if (false)/' faults stop_self
mutation "free is not a preemption point" src/op/op.def \
        '/^OP\(FREE,/,/"frees"/s/PLAIN/PLAIN | POINT_PLAIN/' litmus freed_other_order
mutation "the end of a thread leaves its stack alone" src/rt/thread/thread.c \
        's/rt.down->heap_checks \&\& pool_lent/false \&\& pool_lent/' litmus ended_stack
mutation "a use of a stack that has ended shows no race" src/verdict/race_table.c \
        's/race_is_end\(end->kind\) \&\& last/false \&\& last/' litmus ended_stack
mutation "ptrace is let through" src/rt/calls/refuse.def '/ptrace/d' faults ptrace_parent
mutation "a transition that was cut has races" src/strategy/dpor/path.c 's/ \? \&quiet : hooks/ ? hooks : hooks/' \
        litmus limit_depth_cancel
mutation "without memory there is always a way out" src/strategy/states/termination_graph.c \
        's/out = walk\(w, states, n, marked, stack\) == n;/out = true;/' unit strategy/states/termination_graph_test
mutation "an allocation that fails is answered" src/base/memory.c 's/^( *)memory_out\(\);/\1;/' faults memory

# Reasons, and failures that do not count.
mutation "the first reason hides the others" src/wire/reason.h \
        's/r->set \|= REASON_BIT\(reason\);/r->set = r->set ? r->set : REASON_BIT(reason);/' unit trace/reasons_test
mutation "reasons of a part replace those of the whole" src/trace/reasons.c \
        's/to->set \|= from->set/to->set = from->set/' unit trace/reasons_test
mutation "what is not covered counts as covered" src/trace/reasons.c \
        's/some\.set \&= mask;/some.set = 0;/' scope words
mutation "failures that are ignored count" src/engine/judge.c \
        's/return config_of\(j\)->ignored >> kind \& 1;/return kind == FINDING_LEAK \&\& config_of(j)->ignored >> kind \& 1;/' \
        litmus ignored_failures
mutation "leaks that are ignored count" src/engine/judge.c \
        's/return config_of\(j\)->ignored >> kind \& 1;/return kind != FINDING_LEAK \&\& config_of(j)->ignored >> kind \& 1;/' \
        litmus ignored_leak
mutation "ignored failures are not counted" src/engine/judge.c \
        's/j->result->stats\.ignored\[k\] \+= h->ignored >> k \& 1;/(void)h;/' litmus ignored_failures
mutation "an ignored failure hides a deadlock" src/engine/judge.c 's/if \(e == RUN_OK \&\& h\.ignored\)/if (false)/' \
        litmus ignored_hidden
mutation "what a probe found is forgotten when states are searched" src/engine/loop.c \
        's/judge_reset\(\&s->judge, !s->run\.doubtful\);/judge_reset(\&s->judge, false);/' litmus keep_going_kept
mutation "with --keep-going nothing is probed" src/strategy/makers.h \
        's/return config->n_observe \|\| config->capture;/return config->keep_going || config->n_observe || config->capture;/' \
        litmus keep_going_soon

# What programs expect of the process.
mutation "stacks have no guard" src/rt/thread/identity.c 's/pthread_attr_setguardsize\(\&got, n->identity\.guard_size\);/;/' litmus guard_size
mutation "abort in an assumption is an abort" src/rt/world/exit.c 's/if \(rt_cur \&\& mark_is_assume\(RT_SITE\(\)\)\)/if (false)/' \
        litmus assume_abort
[ -z "$(ls -d /usr/lib/llvm-*/include/llvm-c 2>/dev/null)" ] || # no instrumenter is built
        mutation "functions with a meaning are inlined" src/instrument/named.c 's/keep\(LLVMGetModuleContext\(module\), f\);/(void)keep;/' \
                cc
mutation "gcc inlines functions with a meaning" src/cli/cc/cc.c 's/^( *)add_named\(l, cc\);/\1(void)add_named;/' cc
mutation "a pointer may be anything but NULL" src/rt/user/annotate.c \
        '/nondet_pointer/,/^}/s/rt_choose\(2, [^)]*\(\)\)/1/' litmus nondet_pointer
mutation "err does not end the program" src/rt/calls/error.c '/^RT_EXPORT void err\(/,/^}/s/exit_at\(status, RT_SITE\(\)\);/_exit(0);/' \
        litmus err_exit err_thread

mutation "a cancelled waiter waits for a signal" src/rt/sched/report.c 's/ \&\& !t->cancel\.interrupted//' litmus cancel_relock

# Effects on states of the process and of libc.
effect() { # NAME SED-SCRIPT PAIR...
        name=$1 script=$2
        shift 2
        mutation "$name" src/rt/calls/effect.def "$script" effects "$@"
}
effect "setenv changes nothing" 's/CALL\(setenv, CHANGES/CALL(setenv, USES/' setenv_getenv
effect "getenv uses nothing" 's/^CALL\(getenv, USES\(ENVIRONMENT\)\)/CALL(getenv, USES(LOCALE))/' setenv_getenv
effect "chdir changes nothing" 's/^CALL\(chdir, CHANGES\(DIRECTORY\)/CALL(chdir, USES(DIRECTORY)/' chdir_getcwd chdir_access
effect "a relative path does not depend on the directory" 's/^LOOK\(access, PATH\(0\), /LOOK(access, /' chdir_access
effect "umask changes nothing" 's/^CALL\(umask, CHANGES/CALL(umask, USES/' umask_umask
effect "folders have no names" 's/^CALL\((mkdir|rmdir), PATH\(0\), CHANGES\(NAMES\)/CALL(\1, PATH(0), USES(NAMES)/' mkdir_access
effect "setrlimit changes nothing" 's/^CALL\(setrlimit, CHANGES/CALL(setrlimit, USES/' setrlimit_getrlimit
effect "setlocale changes nothing" 's/CHANGES_IF\(1, LOCALE\)/USES(LOCALE)/' setlocale_setlocale setlocale_nl_langinfo
effect "hsearch changes nothing" 's/^CALL\(hsearch, CHANGES/CALL(hsearch, USES/' hsearch_hsearch
effect "lseek does not move" 's/^CALL\(lseek, CHANGES_OF\(0, POSITION\)/CALL(lseek, USES_OF(0, POSITION)/' lseek_lseek
effect "open takes no number" 's/^CALL\(open, OPENS, /CALL(open, /' close_open
effect "a signal is sent whatever its action" 's/^CALL\(kill, USES_OF\(1, SIGNAL\)\)/CALL(kill, USES(LOCALE))/' signal_kill
mutation "open never makes a name" src/rt/calls/effect.c 's/a \& \(O_CREAT \| O_TRUNC\)/false/' litmus open_creates
mutation "the lowest number is not taken" src/rt/calls/effect.c \
        's/e\[n\+\+\] = EFFECT_TAKES\(EFFECT_LOWEST\);/;/' effects open_read open_close
mutation "duplicates have positions of their own" src/rt/calls/effect.c \
        's/file_of\[at\] = \(uint16_t\)\(of \+ 1\);/file_of[at] = 0;/' effects lseek_duplicate
mutation "flags of a file are those of one number" src/rt/calls/effect.c \
        's/any_duplicate \&\& k < FILES/false \&\& k < FILES/' effects setfl_duplicate
mutation "pipe takes one number" src/rt/io/number.c 's/if \(n == 2\)/if (false)/; s/1 \+ n \+ \(from >= 0\)/2 + (from >= 0)/' \
        effects pipe_write
mutation "fcntl changes nothing" src/rt/io/number.c 's/default: effect_change_file\(fd, site\);/default: effect_perform(locks, 1, site);/' \
        effects setfl_getfl
mutation "close leaves its number alone" src/rt/io/closing.c \
        '/^static int close_with/,/^}/s/EFFECT_CHANGE\(effect_descriptor\(fd\)\)/EFFECT_USE(effect_descriptor(fd))/' \
        effects close_read close_fstat
mutation "read does not move" src/rt/io/pipe.c \
        's/: EFFECT_CHANGE\(effect_position\(fd\)\)/: EFFECT_USE(effect_position(fd))/' effects read_read
mutation "poll does not look numbers up" src/rt/io/poll.c \
        's/effect_perform\(used, some_numbers\(fds, n, used\), site\);/(void)some_numbers(fds, n, used);/' effects close_poll
mutation "sigaction changes nothing" src/rt/world/signal_state.c \
        's/new \? EFFECT_CHANGE\(signal_state\(sig\)\) : //' effects sigaction_sigaction
mutation "raise does not look at the action" src/rt/world/signal_state.c \
        '/ raise\(int sig\)/,/^}/s/effect_one\(EFFECT_USE\(signal_state\(sig\)\), RT_SITE\(\)\);/;/' effects signal_raise
mutation "deleting a key changes nothing" src/rt/thread/tls.c 's/EFFECT_CHANGE\(key_state\(key\)\)/EFFECT_USE(key_state(key))/' \
        effects key_delete_setspecific
mutation "a destructor runs although its key is deleted" src/rt/thread/tls.c \
        '/^static void \*last_value/,/^}/s/effect_one\(EFFECT_USE\(key_state\(key\)\), site\);/;/' litmus key_deleted
mutation "registering an exit handler changes nothing" src/rt/world/exit.c \
        's/effect_one\(EFFECT_CHANGE\(STATE_EXIT_HANDLERS\), site\);/;/' litmus atexit_registered
mutation "exit handlers are taken at once" src/rt/world/exit.c \
        '/^static void run_status_handler/,/^}/s/effect_one\(EFFECT_USE\(STATE_EXIT_HANDLERS\), h->site\);/;/' \
        litmus atexit_during_exit atexit_during_exit_1 atexit_during_exit_2
mutation "registering a handler of quick_exit changes nothing" src/rt/world/exit.c \
        's/effect_one\(EFFECT_CHANGE\(STATE_QUICK_HANDLERS\), RT_SITE\(\)\);/;/' litmus quick_exit_registered
mutation "munmap leaves memory alone" src/rt/memory/mapping.c \
        '/ munmap\(/,/^}/s/change\(addr, size, PROT_GONE, RT_SITE\(\)\);/;/' litmus munmap_used
mutation "mprotect leaves memory alone" src/rt/memory/mapping.c \
        '/ mprotect\(/,/^}/s/change\(addr, size, prot, RT_SITE\(\)\);/;/' litmus mprotect_used
mutation "a fixed mapping replaces nothing" src/rt/memory/mapping.c 's/if \(flags \& MAP_FIXED\)/if (false)/' litmus mapping_changed

mutation "writes do not move a stream" src/rt/calls/stream.c \
        's/if \(rt\.segments \|\| shadow_is_shared\(\(uintptr_t\)\&asked\[i\]\)\)/if (moves)/' effects fputs_ftell
mutation "no thread asks where a stream is" src/rt/calls/stream.c \
        '/^uint32_t stream_state/,/^}/s/shadow_share\(.*$/;/' effects fputs_ftell
mutation "directories have no position" src/rt/calls/input.c 's/^( *)input_stream\(directory, .*\\$/\1;                       \\/' \
        effects readdir_telldir
mutation "what libc returns is nobody else's" src/rt/calls/effect.c \
        's/rt_note_incomplete\(REASON_RETURNED, r->name\);/;/' litmus static_result
mutation "functions without a lock are covered" src/rt/calls/stream.c \
        's/rt_note_incomplete\(REASON_UNLOCKED, name\);/;/' litmus stream_unlocked
mutation "a lock that the program takes does not count" src/rt/calls/stream.c 's/ \&\& !held \&\& / \&\& /' \
        litmus stream_unlocked_held

# What calls read and write.
mutation "calls read nothing" src/rt/calls/listed.c 's/^( *)announce_reads\(\&c\);/\1;/' calls
mutation "calls write nothing" src/rt/calls/listed.c '/^static void make/,/^}/s/^( *)put\(c, .*$/\1;/' calls
mutation "calls write their memory at once" src/rt/calls/listed.c 's/^( *)c->tears \|= c->t->turn\.transitions != turns;/\1c->tears = true;/' \
        litmus call_results calls_torn
mutation "a call reads what was there before its turn" src/rt/calls/listed.c \
        's/if \(covers\(old, n, c->part, c->n\)\)/if (true)/' litmus calls_grown
mutation "a call that fails writes" src/rt/calls/listed.c \
        's/if \(stage == LISTED_WRITES \&\& !succeeded\(c\)\)/if (false)/' litmus calls_failed
mutation "a row is missing" src/rt/calls/calls.def '/^CALL\(gcvt,/d' calls
mutation "a part of a row is missing" src/rt/calls/calls.def \
        's/^CALL\(strfromd, (.*), OUT_PRINTED\(0, 1, 1\)\)/CALL(strfromd, \1)/' calls
mutation "unknown calls are harmless" src/rt/calls/unlisted.c 's/ \&\& !is_harmless\(name\)/ \&\& false/' calls
mutation "unknown calls are covered" src/rt/calls/unlisted.c 's/rt_note_incomplete\(REASON_CALL, u->name\);/;/' calls
mutation "pthread_create writes no handle" src/rt/thread/thread.c 's/^( *)call_out\(.*$/\1;/' litmus call_results

# Copies.
mutation "a fill is one step" src/rt/copy/range.c \
        '/^void range_fill/,/^}/s/if \(!steps\(OP_WRITE, dst, n, site\)\)/if (steps(OP_WRITE, dst, n, site) || true)/' litmus copy_sizes
mutation "a copy goes up" src/rt/copy/range.c 's/^( *)copy_down\(dst, src, n, site\);/\1copy_up(dst, src, n, site);/' litmus copy_down
mutation "shared words are skipped as private ones" src/rt/copy/range.c \
        's/while \(n - at >= 8 \&\& !step_shared\(p \+ at\)\)/while (n - at >= 8)/' litmus copy_long
mutation "words are aligned to their range" src/rt/copy/range.h 's/size = align \? align : 8;/size = 8;/' litmus copy_unaligned
mutation "a copy of a block that is freed meanwhile is legal" src/rt/copy/step.c \
        '/^void step_write/,/^}/s/memory_check\(t, OP_WRITE, addr, n, site\);/;/' litmus copy_freed
mutation "a plain access of two words is one step" src/rt/memory/torn.c '/^bool torn_access/,/^}/s/if \(!rt\.live \|\|/if (true || !rt.live ||/' \
        litmus wide_plain

# Spin detection and replays.
mutation "the runtime writes next to the program's frames" src/rt/arch/x86_64/gap.h 's/RT_GAP 17472/RT_GAP 0/' loops
mutation "a schedule does not overrule the spin detector" src/rt/sched/sched.c 's/^( *)spin_overrule\(t\);/\1;/' loops noise
mutation "runs that differ are the program's doing" src/engine/confirm.c \
        's/if \(e == RUN_OK \&\& by_us\)/if (false)/' loops noise
mutation "a difference by chance is heddle's" src/engine/confirm.c \
        's/\*always = e == RUN_OK \&\& holds\(r, t\);/*always = e == RUN_OK;/' litmus nondeterminism nondeterminism_blocks
mutation "a schedule that does not fail is a success" src/engine/replay.c \
        's/if \(shown \|\| !must_fail\(s, what\)\)/if (true)/' replays unreproduced
mutation "the last run of a replay decides" src/cli/explore.c \
        's/^( *)replay_show\(\&s\.run\);/\1{ replay_show(\&s.run); r->n_findings = 0; }/' replays
mutation "positions depend on --observe" src/rt/world/exit.c 's/position_step\(t, 1\); \/\* positions do not depend.*$/;/' litmus replay_observed

# Deadlines.
mutation "a wait that was signalled still has its deadline" src/rt/sched/enabled.c 's/\(t->wait\.signalled \|\| t->cancel\.interrupted\)\)/false)/' \
        litmus stuck_signalled

# Scope.
mutation "libraries that are not watched are covered" src/program/coverage.c \
        's/\? CALLS_NOTICED : CALLS_COVERED;/? CALLS_COVERED : CALLS_COVERED;/' scope library
mutation "what libstdc++ does to objects is covered" src/program/coverage.c \
        's/return CALLS_OF_CXX;/return CALLS_COVERED;/' scope containers
mutation "all of libstdc++ is modelled" src/program/coverage.c 's/imports_is_modelled\(m\.all\.at\[i\]\.name\)/true/' scope containers
mutation "every access is announced" src/binary/announced_scan.c 's/missing \|= !use\(w, o\[k\]\.size \/ 8, (true|false)\);/missing |= false;/' \
        scope unannounced
mutation "a loop in code that is not watched is endless" src/engine/judge.c \
        's/kind == FINDING_INFINITE_LOOP \&\& is_unwatched_loop\(j, failure\)/false/' scope calls

mutations_end
