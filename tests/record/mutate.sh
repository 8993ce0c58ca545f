#!/bin/sh
# Does a test notice a broken recorder, or a broken reader of recordings?
# shellcheck source=tests/mutations.sh
. "$(dirname "$0")/../mutations.sh"
mutants=mutants-record

unset HEDDLE_TEST_LONG

noticed() {
        noticed_by "$@"
}

mutations_begin
mutations_units

rt=src/rt/record
mutation "handlers of signals are a part of the path" $rt/signals.c 's/= recorder_pause\(\);/= NULL;/' record plain
mutation "a path goes on as the handler left it" $rt/recorder.c 's/^        __heddle_path = interrupted_word;//' record plain
mutation "children of a fork are recorded" $rt/recorder.c 's/^        pthread_atfork\(.*$//' record plain
mutation "a word that repeats is counted twice" $rt/recorder.c 's/word \+ 1, __ATOMIC_RELEASE/word + 2, __ATOMIC_RELEASE/' record plain
mutation "the words of a loop that waits fill the ring" $rt/recorder.c 's/if \(!repeats\(t, word\)\)/if (true)/' record plain
mutation "the order of two addresses is a part of the path" src/instrument/path.cc 's/ && !address_decides\(wrap\(&i\)\)//' record plain
mutation "bits are not stored before others can see" src/instrument/path_expand.cc 's/^        store_before_others_see\(w, f\);//' record plain
mutation "a call through a pointer has another number" src/instrument/path_expand.cc 's/given, CALL_SHIFT/given, CALL_SHIFT + 1/' record plain
mutation "a wait has no time" $rt/calls.c 's/recorder_note\(REC_WAIT, condition\);/(void)condition;/' record plain
mutation "threads of C11 are not recorded" $rt/calls.c 's/= begin\(\(struct start\)\{\.of_c11.*/= NULL;/' record plain
mutation "no branch may go another way" src/rt/sched/path.c 's/if \(!rt.down->paths.stray\)/if (true)/' record plain
mutation "inputs have no kind" src/rt/sched/path.c 's/ && all->input_kinds\[.*\] != kind\)/ \&\& false)/' record plain
mutation "creations and joins are not counted" src/record/paths.c 's/^ *turns \+= is_turn\(t, k\);//' unit record/recording_test
mutation "a schedule is replayed without the recording" src/cli/replay.c 's/err = inputs_load_given\(c\);//' record plain
mutation "what was read is not given" src/record/paths.c 's/if \(is_input\(t, k\) &&/if (false \&\&/' record plain
mutation "a damaged recording is read" src/record/recording.c 's/hash != stream_hash\([^)]*\) \|\|/false ||/' record plain
mutation "a newer recording is read" src/record/recording.c 's/version > RECORDING_VERSION/false/' record plain
mutation "lost branches are 32 bits" src/record/recording.c 's/stream_put_u64\(s, t->lost\)/stream_put_u64(s, (uint32_t)t->lost)/' unit record/recording_test
mutation "positions of repeated words are 32 bits" src/record/paths.c 's/uint64_t n = rec_bits\(e\);/uint32_t n = (uint32_t)rec_bits(e);/' unit record/recording_test
mutation "times are of the begin of their bits" src/record/paths.c 's%p->lost \+ p->bits,$%p->lost,%' unit record/recording_test
mutation "a value that was there before is none that a write gives" src/record/solve.c 's/return f->initial && .*$/return false;/' unit record/solve_test
mutation "times are exact" src/record/events.c 's/^#define SLACK .*/#define SLACK 0u/' unit record/solve_test

mutations_end
