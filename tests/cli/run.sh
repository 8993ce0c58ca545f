#!/bin/sh
# The command line: what it refuses and how, exit statuses, help, the compilers, the files it writes.
# Seconds: 20
cd "$(dirname "$0")/../.." || exit 3
root=$PWD
heddle=${HEDDLE:-$root/build/heddle}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
mkdir "$work/tmp"
TMPDIR=$work/tmp
export TMPDIR
unset HEDDLE_COMPILER
failed=0

pass() { echo "PASS cli/$1"; }
fail() { # name why
        echo "FAIL cli/$1: $2"
        failed=1
}

# A command with a given status; standard error, when the status is 2, is one line that holds the pattern.
expect() { # name status pattern command...
        name=$1 wanted=$2 pattern=$3
        shift 3
        "$@" >"$work/out" 2>"$work/err" </dev/null
        status=$?
        if [ "$status" != "$wanted" ]; then
                fail "$name" "status $status, not $wanted: $(head -c 200 "$work/err" | tr '\n' ' ')"
        elif [ "$wanted" = 2 ] && [ "$(wc -l <"$work/err")" != 1 ]; then
                fail "$name" "not one line on standard error: $(head -c 200 "$work/err" | tr '\n' ' ')"
        elif [ "$pattern" ] && ! cat "$work/err" "$work/out" | grep -q -e "$pattern"; then
                fail "$name" "no '$pattern' in: $(cat "$work/err" "$work/out" | head -c 200 | tr '\n' ' ')"
        else
                pass "$name"
        fi
}

check() { # name condition...
        name=$1
        shift
        if "$@"; then pass "$name"; else fail "$name" "not so: $*"; fi
}

cp examples/lost_update.c examples/philosophers.c examples/lazy_init.cpp "$work"
cd "$work" || exit 3

# Help and version.
"$heddle" >out 2>err; check no_command_status [ $? = 2 ]
expect version 0 '^heddle [0-9]' "$heddle" --version
expect help 0 'replay SCHEDULE' "$heddle" --help
for command in check replay report cc c++; do
        expect "help_$command" 0 '^usage: heddle' "$heddle" $command --help
done
for command in check replay report cc c++ build static doctor completion; do
        "$heddle" $command --help >out 2>&1
        check "help_${command}_fits_a_screen" [ "$(wc -l <out)" -le 40 ]
        check "help_${command}_fits_80_columns" [ "$(wc -L <out)" -le 80 ]
        check "man_$command" [ -s "$root/docs/man/heddle-$command.1" ]
done
expect help_all_options 0 '--thread-depth' "$heddle" help check
"$heddle" completion bash >completion.bash && cat >complete.sh <<'EOF'
. ./completion.bash
words() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _heddle; echo "${COMPREPLY[@]}"; }
[ "$(words heddle doc)" = doctor ] || echo "command: $(words heddle doc)"
[ "$(words heddle check --keep)" = --keep-going ] || echo "option: $(words heddle check --keep)"
[ "$(words heddle check --isolate f)" = fork ] || echo "value: $(words heddle check --isolate f)"
EOF
check completion_bash [ -z "$(bash complete.sh 2>&1)" ]
expect completion_zsh 0 "'--strategy=" "$heddle" completion zsh
expect completion_unknown 2 'name the shell' "$heddle" completion tcsh
expect doctor 0 'heddle can run here' "$heddle" doctor
TMPDIR=/nowhere "$heddle" doctor >out 2>&1; check doctor_cannot_status [ $? = 2 ]
check doctor_cannot_says grep -q 'MISSING.*set TMPDIR' out
expect doctor_foreign 2 'not executable' "$heddle" doctor lost_update.c
expect doctor_two 2 'takes one program' "$heddle" doctor a b
expect build_nothing 2 'needs the command of a build' "$heddle" build
expect build_option 2 'has no option' "$heddle" build --fast make
expect build_compiler 2 'clang or gcc, not' "$heddle" build --compiler=tcc make
expect build_not_there 127 "cannot run 'nowhere/make'" "$heddle" build nowhere/make
expect build_status 3 'made no objects' "$heddle" build sh -c 'exit 3'
expect help_after_options 0 '^usage: heddle check' "$heddle" check --strategy dfs --help
expect unknown_command 2 "did you mean 'check'" "$heddle" chekc
expect program_as_command 2 'heddle check lost_update.c' "$heddle" lost_update.c
expect man_pages 0 '' "$root/scripts/man-options.sh" --check "$heddle" "$root/docs/man"

# Options.
expect nothing_to_check 2 'name what to check' "$heddle" check
expect unknown_option 2 'did you mean --strategy' "$heddle" check --stratgy dpor lost_update.c
expect unknown_flag 2 'unknown option' "$heddle" check -Z lost_update.c
expect value_missing 2 'needs a value' "$heddle" check --time
expect value_unwanted 2 'takes no value' "$heddle" check --keep-going=yes lost_update.c
expect filter_unknown 2 'use seen, depth, local-cycle, super-step or dpor' "$heddle" check --strategy filters --filters sene lost_update.c
expect filter_clash 2 'use dpor' "$heddle" check --strategy filters --filters super-step,dpor lost_update.c
expect filter_twice 2 'give each once' "$heddle" check --strategy filters --filters dpor,depth,dpor lost_update.c
expect filter_dpor_jobs 2 'cannot be shared' "$heddle" check --strategy filters --filters dpor --jobs 2 lost_update.c
expect order_unknown 2 'breadth-first' "$heddle" check --strategy filters --order deep lost_update.c
expect bound_random 2 'does not work with this strategy' "$heddle" check --strategy random --bound 1 lost_update.c
expect bound_unknown 4 'no failure with up to 0 preemptions' "$heddle" check --bound 0 lost_update.c
expect bound_finds 1 '1 preemption' "$heddle" check --strategy icb lost_update.c
expect word_near 2 "did you mean 'dpor'" "$heddle" check --strategy dpro lost_update.c
expect word_unknown 2 'auto, optimal' "$heddle" check --strategy xyzzy lost_update.c
expect mcr_unknown 2 "use complete, published, switch or checked" "$heddle" check --strategy mcr --mcr xyzzy lost_update.c
expect helpers_unknown 2 'use run, record or refuse' "$heddle" check --helpers always lost_update.c
expect timeouts_unknown 2 'use explore, never or stuck' "$heddle" check --timeouts always lost_update.c
expect wakeup_policy 2 "cond has no 'filo'; use arbitrary, fifo, lifo or priority" "$heddle" check --wakeup cond=filo lost_update.c
expect wakeup_rwlock 2 "rwlock has no 'last'; use none, arbitrary, reader, writer, fifo, lifo or priority" "$heddle" check --wakeup rwlock=last lost_update.c
expect wakeup_primitive 2 'use mutex, cond, sem, rwlock or barrier' "$heddle" check --wakeup mutex=fifo,monitor=fifo lost_update.c
expect wakeup_syntax 2 'PRIMITIVE=POLICY' "$heddle" check --wakeup fifo lost_update.c
expect spurious_wrong 2 'not a whole number' "$heddle" check --spurious often lost_update.c
expect time_without_unit 2 'give 30s' "$heddle" check --time 30 lost_update.c
expect time_wrong 2 'not a time' "$heddle" check --time soon lost_update.c
expect time_negative 2 'not a time' "$heddle" check --time -5s lost_update.c
expect power_wrong 2 '48 is not a power of two' "$heddle" check --txn-line-size 48 lost_update.c
expect number_wrong 2 'not a whole number' "$heddle" check --executions many lost_update.c
expect number_negative 2 'not a whole number' "$heddle" check --depth -1 lost_update.c
expect number_zero 2 'at least 1' "$heddle" check --depth 0 lost_update.c
expect number_large 2 'too large' "$heddle" check --seed 99999999999999999999 lost_update.c
expect argument_after_source 2 'after --' "$heddle" check lost_update.c 5
expect compiler_unknown 2 'use gcc or clang' "$heddle" check --compiler tcc lost_update.c

# Names: variables on a stack, in code that was not optimised; functions of C++ as people say them.
cat >account.c <<'PROGRAM'
#include <assert.h>
#include <pthread.h>
struct account { int owner, balance[2]; };
static void *deposit(void *p) { ((struct account *)p)->balance[1]++; return 0; }
int main(void)
{
        struct account a = {0};
        pthread_t t[2];
        for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, deposit, &a);
        for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
        assert(a.balance[1] == 2);
}
PROGRAM
for compiler in gcc clang; do
        expect "local_variable_$compiler" 1 'writes a.balance.1. = 1' "$heddle" check --compiler $compiler account.c
        expect "local_variable_$compiler-O2" 1 'assertion' "$heddle" check --compiler $compiler -O2 account.c
done
cat >lambda.cpp <<'PROGRAM'
#include <cassert>
#include <thread>
template <class F> void twice(F f) { std::thread a(f), b(f); a.join(); b.join(); }
int main() { int n = 0; twice([&] { n++; }); assert(n == 2); }
PROGRAM
expect lambda_name 1 '^ .* main::lambda lambda.cpp$' "$heddle" check lambda.cpp

# Inputs.
expect source_missing 2 'no such file' "$heddle" check missing.c
mkdir folder folder.c
expect source_directory 2 'not a regular file' "$heddle" check folder.c
expect program_missing 2 'no such file' "$heddle" check ./missing
expect program_directory 2 'is a directory' "$heddle" check folder
expect program_not_executable 2 'not executable' "$heddle" check err
printf '#!/bin/sh\n' >script && chmod +x script
expect program_script 2 'is a script' "$heddle" check ./script
echo text >text && chmod +x text
expect program_text 2 'not an ELF program' "$heddle" check ./text
: >empty && chmod +x empty
expect program_empty 2 'not an ELF program' "$heddle" check ./empty
cp /bin/true elf32 && printf '\001' | dd of=elf32 bs=1 seek=4 conv=notrunc 2>/dev/null
expect program_32_bit 2 '32-bit' "$heddle" check ./elf32
cp /bin/true elfarm && printf '\267' | dd of=elfarm bs=1 seek=18 conv=notrunc 2>/dev/null
expect program_other_machine 2 'x86-64' "$heddle" check ./elfarm
head -c 80 /bin/true >cut && chmod +x cut
expect program_cut 2 'cut: ' "$heddle" check ./cut
cp /bin/true setuid && chmod u+s setuid
expect program_setuid 2 'setuid' "$heddle" check ./setuid
echo 'int main(void) { return 0; }' >main.c
gcc -static -o static main.c && expect program_static 2 'statically' "$heddle" check ./static
gcc -c -o object.o main.c && chmod +x object.o && expect program_object 2 'object file' "$heddle" check ./object.o
expect flag_for_program 2 'already built' "$heddle" check -O2 /bin/true
echo 'int main(void) {' >broken.c
"$heddle" check broken.c >out 2>err; check compile_error_status [ $? = 2 ]
check compile_error_shown grep -q 'broken.c' err
expect json_unwritable 2 'cannot write' "$heddle" check --json missing/x lost_update.c
expect trace_unwritable 2 'cannot write' "$heddle" check --trace missing/x lost_update.c
expect outputs_equal 2 'same file' "$heddle" check --json - --trace - lost_update.c

# Replay and report.
expect replay_nothing 2 'give the schedule' "$heddle" replay
expect replay_no_program 2 'name the program' "$heddle" replay 0,1,1
expect replay_nonsense 2 'not a schedule' "$heddle" replay nonsense -- /bin/true
expect replay_damaged 2 'damaged' "$heddle" replay h1:zz -- /bin/true
expect replay_thread_high 2 'thread 5000 is out of range' "$heddle" replay 0,5000 -- /bin/true
expect report_nothing 2 'name one trace' "$heddle" report
expect report_missing 2 'No such file' "$heddle" report missing
expect report_nonsense 2 'main.c: ' "$heddle" report ./main.c

# Compilers.
for compiler in clang gcc; do
        command -v $compiler >/dev/null || continue
        expect "cc_${compiler}_link" 0 '' "$heddle" cc --compiler $compiler -o prog lost_update.c
        check "cc_${compiler}_hooks" sh -c 'nm -D prog | grep -q "U __tsan_write4"'
        check "cc_${compiler}_no_libtsan" sh -c '! ldd ./prog | grep -q libtsan'
        expect "cc_${compiler}_object" 0 '' "$heddle" cc --compiler=$compiler -c philosophers.c
        expect "cc_${compiler}_objects" 0 '' "$heddle" cc --compiler $compiler -o prog philosophers.o -pthread
        expect "cc_${compiler}_preprocess" 0 'int main' "$heddle" cc --compiler $compiler -E main.c
        expect "cc_${compiler}_assembly" 0 '__tsan' "$heddle" cc --compiler $compiler -S -o - lost_update.c
        "$heddle" cc --compiler $compiler -c broken.c >out 2>&1
        check "cc_${compiler}_status" [ $? = 1 ]
        expect "cxx_$compiler" 0 '' "$heddle" c++ --compiler $compiler -o prog lazy_init.cpp
done
expect cc_static 2 'leave -static out' "$heddle" cc -static main.c

# Whole runs.
expect check_safe 0 '' "$heddle" check -DTWIST philosophers.c
expect check_failure 1 'heddle replay' "$heddle" check lost_update.c
expect check_cxx 1 '' "$heddle" check lazy_init.cpp
printf '#include <mutex>\nint main() { std::mutex a, b; std::scoped_lock l(a, b); }\n' >seventeen.cpp
expect check_cxx_17 0 '' "$heddle" check seventeen.cpp
expect check_gcc 1 '' "$heddle" check --compiler gcc lost_update.c
cat >endless.c <<'EOF'
#include <pthread.h>
static volatile int x;
static void *go(void *a) { for (;;) x++; return a; }
int main(void)
{
        pthread_t t;
        pthread_create(&t, 0, go, 0);
        x++;
        pthread_join(t, 0);
}
EOF
expect check_limit_cut 4 '3 cut' "$heddle" check --executions 3 --depth 40 endless.c
expect check_limit_cut_jobs 4 '' "$heddle" check --executions 50 --depth 40 --jobs 2 --alone 1ms endless.c
expect check_limit 4 '' "$heddle" check --executions 3 -DTWIST -DN=6 philosophers.c
expect verbose 1 'sources are compiled by' "$heddle" check --verbose lost_update.c
check verbose_isolation grep -q 'undone by a snapshot' err
check verbose_unwatched grep -q 'not covered: memory accesses in .*libc' err
check verbose_starts_nothing sh -c '! grep -qv "^heddle: " err'
cat >two.c <<'EOF'
#include <pthread.h>
int x, y;
static void *twice(void *a) { x++; y = 1; return a; }
int main(void)
{
        pthread_t t;
        pthread_create(&t, 0, twice, 0);
        x++;
        pthread_join(t, 0);
        return x != 2;
}
EOF
# Outputs are compared without being asked; options behind the program are pointed out; a failure that was found stays one.
cat >printed.c <<'EOF'
#include <pthread.h>
#include <stdio.h>
static void *say(void *a) { printf("%s\n", (char *)a); return a; }
int main(void)
{
        pthread_t t, u;
        pthread_create(&t, 0, say, "a");
        pthread_create(&u, 0, say, "b");
        pthread_join(t, 0);
        pthread_join(u, 0);
        return 0;
}
EOF
sed 's/static void/int n; static void/; s/printf(.*; return/n++; n++; return/; s/return 0/return printf("%d\\n", n) < 0/' printed.c >sum.c
expect outputs_auto 0 'The program printed at least 3 different outputs:' "$heddle" check sum.c
expect outputs_on 0 'The program printed 2 different outputs:' "$heddle" check --outputs on printed.c
expect outputs_json 0 '{"text": "a\\nb\\n", "bytes": 4, "status": 0, "executions": [0-9]*, "schedule": "h1:' \
        "$heddle" check --outputs on --json - printed.c
sed 's/printf("%s\\n", (char \*)a)/if (write(1, a, 1) != 1) return 0/; s/stdio/unistd/' printed.c >written.c
expect outputs_written 0 'The program printed 2 different outputs:' "$heddle" check --outputs on written.c
sed 's/printf("%s\\n", (char \*)a)/if (*(char *)a == 97) puts("a"); else if (write(1, "b", 1) != 1) return 0; fflush(stdout)/; 1i #include <unistd.h>' printed.c >mixed.c
expect outputs_mixed 0 'The program printed 2 different outputs:' "$heddle" check --outputs on mixed.c
sed 's/int main(void)/static void head(void) { for (int i = 0; i < 5000; i++) putchar(10); }\n&/; s/return printf/head(); &/' sum.c >longer.c
expect outputs_longer 0 'executions: .* (5002 bytes); replay' "$heddle" check longer.c
"$heddle" check --outputs off sum.c >out 2>err
check outputs_off sh -c '! grep -q "different outputs" out'
"$heddle" cc -o printed printed.c
"$heddle" check ./printed --time 5s >out 2>err
check late_option grep -q "'--time' comes after ./printed and goes to the program" err
# Surroundings: no environment, a limit of file sizes, a terminal without escape sequences, names that attack one.
expect no_environment 1 'x == 2\|exit status 1' env -i "$heddle" check two.c
"$heddle" cc -o two two.c
bash -c 'ulimit -S -f 4; exec "$@"' - "$heddle" check --json big.json --html big.html ./two >out 2>err; echo $? >status
check file_limit sh -c 'grep -q "^1$" status && grep -q "exit status 1" out && grep -q "cannot write big.html: File too large" err'
bash -c 'ulimit -f 4; exec "$@"' - "$heddle" check ./two >out 2>err; echo $? >status
check file_limit_hard sh -c 'grep -q "^3$" status && grep -q "ulimit -f" err'
TERM=dumb script -qec "'$heddle' check two.c" /dev/null >out 2>&1 </dev/null
check dumb_terminal sh -c '! grep -q "$(printf "\\033")" out && grep -q "exit status 1" out'
hostile=$(printf 'a\033[31mb\nc\302\2331md\342\200\256e')
cp two "./$hostile"
"$heddle" check --json hostile.json --sarif hostile.sarif --junit hostile.xml "./$hostile" >out 2>err
"$heddle" check "./no$hostile" >>out 2>>err
check hostile_name sh -c '! LC_ALL=C grep -q "$(printf "\\033\\|\\302\\233\\|\\342\\200\\256")" out err hostile.json hostile.sarif hostile.xml'
check hostile_name_one_line sh -c 'test "$(wc -l <err)" = 1'
hostile_replay=$(sed -n "s/.*Replay: heddle //p" out)
check hostile_name_replays bash -c "'$heddle' $hostile_replay >out 2>&1; test \$? = 1"
expect page_place 1 "the page is $work/page.html (--open opens it)" "$heddle" check --html page.html ./two
expect page_opened 1 "^$work/page.html" env BROWSER=echo "$heddle" check --open --html page.html ./two
expect page_not_opened 1 'none does not open it; set BROWSER' env BROWSER=none "$heddle" check --open --html page.html ./two
expect open_alone 2 'give --html F as well' "$heddle" check --open ./two
expect write_error_keeps_failure 1 'x == 2\|exit status 1' "$heddle" check --json /dev/full two.c
check write_error_said grep -q 'cannot write /dev/full' err
cat >lost.c <<'EOF'
#include <pthread.h>
#include <stdlib.h>
static int first, more; static void *p;
static void *one(void *a) { first = 1; return a; }
int main(void)
{
        pthread_t t;
        pthread_create(&t, 0, one, 0);
        more = first;
        pthread_join(t, 0);
        p = malloc(4 + 4 * more);
        p = 0;
        return 0;
}
EOF
expect leak_in_every_order 0 'Hint: memory that every execution loses' "$heddle" check lost.c
expect story_observed 1 'lost update of x: T0 reads x = 0' "$heddle" check --keep-going --observe x,y two.c
check story_observes_nothing sh -c '! grep -q "does observe" out'
"$heddle" cc -o bare two.c
expect observe_without_debug 1 'x=1; y=1' "$heddle" check --keep-going --observe x,y ./bare
expect observe_member_without_debug 2 'build the program with -g' "$heddle" check --observe 'x[1]' ./bare
expect observe_missing_without_debug 2 'no debug information' "$heddle" check --observe z ./bare
expect observe_missing 2 'no such global variable' "$heddle" check --observe environ_of_mine two.c
expect compiler_flags 1 '' "$heddle" check -w -pedantic -include limits.h -isystem . lost_update.c
cat >files.c <<'END'
#include <pthread.h>
#include <stdio.h>
static void *reads(void *arg)
{
        FILE *f = fopen("/etc/passwd", "r");
        fgetc(f);
        fclose(f);
        return arg;
}
int main(void)
{
        pthread_t t;
        FILE *open_now = fopen("/etc/group", "r"), *before = fopen("/etc/shells", "r");
        if (before)
                fclose(before);
        pthread_create(&t, NULL, reads, NULL);
        pthread_join(t, NULL);
        return open_now == NULL;
}
END
expect verbose_assumed 0 'the same in every execution: /etc/passwd' "$heddle" check --verbose --json json files.c
check json_assumed grep -q '"assumed": \["/etc/group", "/etc/passwd"\]' json
"$heddle" check --json - lost_update.c >json 2>err
check json_assumed_nothing grep -q '"assumed": \[\]' json
check json_alone sh -c '[ "$(head -c 1 json)" = "{" ] && grep -q "\"verdict\": *\"failure\"" json'
expect trace_written 1 '' "$heddle" check --trace trace --json json lost_update.c
check trace_there [ -s trace ]
schedule=$(sed -n 's/.*"schedule": *"\(h1:[^"]*\)".*/\1/p' json | head -1)
check schedule_given [ -n "$schedule" ]
expect replay_text 1 '' "$heddle" replay "$schedule" lost_update.c
expect replay_source_behind 1 '' "$heddle" replay "$schedule" -- lost_update.c
expect replay_source_behind_args 1 '' "$heddle" replay "$schedule" -- lost_update.c -- one two
expect replay_list 1 '' "$heddle" replay --steps 0,0,1,2,1,2 lost_update.c
check replay_list_is_steps [ "$(awk '/^ *[0-9]+ +T/ { printf "%s ", $2 }' out | cut -c1-18)" = "T0 T0 T1 T2 T1 T2 " ]
expect replay_list_blocked 2 'at step 3: thread 0 is blocked' "$heddle" replay 0,0,0 lost_update.c
expect replay_list_nobody 2 'at step 3: thread 9 is not there' "$heddle" replay 0,0,9 lost_update.c
expect replay_list_too_long 2 'at step' "$heddle" replay 0,0,1,1,2,2,0,0,0,0,0,0,0,0,0,0 lost_update.c
expect replay_cut 2 'cut or mistyped' "$heddle" replay "${schedule%,*}" lost_update.c
expect replay_mistyped 2 'cut or mistyped' "$heddle" replay "$(echo "$schedule" | sed 's/x3/x2/')" lost_update.c
expect replay_other_program 2 'another program' "$heddle" replay "$schedule" philosophers.c
expect replay_other_build 1 'assert' "$heddle" replay "$schedule" -O2 lost_update.c
sed 's/assert(/(void)(/' lost_update.c >mended.c
expect replay_mended 0 'this schedule no longer fails' "$heddle" replay "$schedule" mended.c
expect explain_mended 0 'this schedule no longer fails' "$heddle" explain "$schedule" mended.c
sed 's/assert(/assert(argc > 1 || /; s/main(void)/main(int argc, char **argv)/' lost_update.c >depends.c
"$heddle" check --trace depends.trace --json depends.json depends.c >out 2>&1
depends=$(sed -n 's/.*"schedule": *"\(h1:[^"]*\)".*/\1/p' depends.json | head -1)
expect replay_depends 1 'assert' "$heddle" replay "$depends" depends.c
expect replay_not_reproduced 3 'the same build followed its schedule to the end' "$heddle" replay "$depends" depends.c -- x
expect explain_not_reproduced 3 'the failure was not reproduced' "$heddle" explain "$depends" depends.c -- x
expect replay_trace_not_reproduced 3 'there was no assertion' "$heddle" replay depends.trace depends.c -- x
expect replay_unchecked 1 '' "$heddle" replay "$(echo "$schedule" | sed 's/[.][0-9a-f]*:/:/')" lost_update.c
expect replay_other_folder 1 '' sh -c 'cd folder && "$0" replay "$1" ../lost_update.c' "$heddle" "$schedule"
"$heddle" replay "$schedule" lost_update.c >out 2>&1; check replay_says_no_exploration sh -c '! grep -q explored out'
expect replay_trace 1 '' "$heddle" replay trace
expect replay_steps 1 '' "$heddle" replay --steps "$schedule" lost_update.c
expect report_trace 0 'assert' "$heddle" report trace
expect report_json 0 '"failures"' "$heddle" report trace --json -
"$heddle" cc -g -o prog lost_update.c
expect check_program 1 '-- ./prog a' "$heddle" check ./prog a

# The program sees the processors that it sees without heddle.
cat >processors.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <sys/sysinfo.h>
#include <sys/syscall.h>
#include <unistd.h>
static int early;
__attribute__((constructor)) static void count(void)
{
        cpu_set_t s;
        sched_getaffinity(0, sizeof s, &s);
        early = CPU_COUNT(&s);
}
int main(void)
{
        cpu_set_t s, p, q;
        sched_getaffinity(0, sizeof s, &s);
        pthread_getaffinity_np(pthread_self(), sizeof p, &p);
        if (syscall(SYS_sched_getaffinity, 0, sizeof q, &q) <= 0)
                return 255;
        if (CPU_COUNT(&s) != early || !CPU_EQUAL(&s, &p) || sysconf(_SC_NPROCESSORS_ONLN) != get_nprocs())
                return 254;
        return 1 + (int)((unsigned)(10 * get_nprocs() + CPU_COUNT(&s)) % 250);
}
C
"$heddle" cc -g -o processors processors.c
./processors
expect processors 1 "exit status $?\$" "$heddle" check ./processors
one=$(taskset -cp $$ 2>/dev/null | sed 's/.*: *\([0-9]*\).*/\1/')
taskset -c "${one:-0}" ./processors
expect processors_of_one 1 "exit status $?\$" taskset -c "${one:-0}" "$heddle" check ./processors
ln -s "$heddle" link
expect through_symlink 1 '' ./link check lost_update.c
expect from_path 1 '' env PATH="$(dirname "$heddle"):$PATH" heddle check lost_update.c

# Kinds of failures.
expect kinds_wrong 2 "--only: .*'asertion' (did you mean 'assertion'" "$heddle" check --only leak,asertion lost_update.c
expect kinds_empty 2 '--ignore-failures: ' "$heddle" check --ignore-failures , lost_update.c
expect kinds_ignored 0 'No failure that counts' "$heddle" check --ignore-failures assertion lost_update.c
expect keep_going_named 1 'Stopped at the first failure after 2 executions (1 of them a probe), .*\. Continue with --keep-going\.' "$heddle" check lost_update.c
for kind in deadlock assertion crash abort exit-status use-after-free double-free invalid-free out-of-bounds leak race livelock \
        infinite-loop lock-misuse invariant transaction nondeterminism; do
        expect "kind_$kind" 0 '' sh -c '"$0" check --ignore-failures "$1" --help >/dev/null' "$heddle" "$kind"
done

# The file .heddle.
mkdir options && cp lost_update.c philosophers.c options
printf '# comment\n--json "file json"   # and more\n-DTWIST -DN=3\n' >options/.heddle
expect file_options 0 '' "$heddle" check options/philosophers.c
check file_quotes [ -s 'file json' ]
expect line_wins 0 '' "$heddle" check --json other options/philosophers.c
check line_wins_file [ -s other ]
printf -- '--executions 1 --stratgy dfs\n' >options/.heddle
expect file_wrong 2 'options/.heddle: .*--strategy' "$heddle" check options/philosophers.c

# An installed tree, and nothing left behind.
if make -s -C "$root" BUILD="$(dirname "$heddle")" install DESTDIR="$work/tree" PREFIX=/usr >out 2>&1; then
        expect installed 1 '' "$work/tree/usr/bin/heddle" check lost_update.c
else
        fail installed "make install: $(tail -n 1 out)"
fi
check temporary_files_removed [ -z "$(ls -A "$work/tmp")" ]
exit $failed
