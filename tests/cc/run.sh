#!/bin/sh
# `heddle cc` and `heddle c++` in place of a compiler: what configure scripts, CMake, Meson and make ask of one.
# Each part builds with clang and with gcc.
# Seconds: 45
cd "$(dirname "$0")/../.." || exit 3
root=$PWD
heddle=${HEDDLE:-$root/build/heddle}
here=$root/tests/cc
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
unset HEDDLE_COMPILER CC CXX CFLAGS CXXFLAGS LDFLAGS
PATH=$(dirname "$heddle"):$PATH
CCACHE_DIR=$work/ccache
export PATH CCACHE_DIR
failed=0

pass() { echo "PASS cc/$1"; }
fail() { # name why
        echo "FAIL cc/$1: $2"
        failed=1
}
skip() { echo "SKIP cc/$1: $2"; }

# The command ends with the status, and what it says holds the pattern.
expect() { # name status pattern command...
        name=$1 wanted=$2 pattern=$3
        shift 3
        "$@" >"$work/out" 2>&1 </dev/null
        status=$?
        if [ "$status" != "$wanted" ]; then
                fail "$name" "status $status, not $wanted: $(tail -c 300 "$work/out" | tr '\n' ' ')"
        elif [ "$pattern" ] && ! grep -q -e "$pattern" "$work/out"; then
                fail "$name" "no '$pattern' in: $(head -c 300 "$work/out" | tr '\n' ' ')"
        else
                pass "$name"
        fi
}

# Nothing at all is said, and the status is 0.
silent() { # name command...
        name=$1
        shift
        "$@" >"$work/out" 2>&1 </dev/null
        status=$?
        if [ $status = 0 ] && [ ! -s "$work/out" ]; then
                pass "$name"
        else
                fail "$name" "status $status: $(head -c 300 "$work/out" | tr '\n' ' ')"
        fi
}

# Hooks, or what optimised functions call and ask (instrument/inline.h, clone.h).
called='U __(tsan_write4|heddle_access|heddle_checked)'
has_hooks() { # file
        nm -A "$1" 2>/dev/null | grep -qE "$called" || nm -DA "$1" 2>/dev/null | grep -qE "$called"
}

hooks() { # name file
        if has_hooks "$2"; then pass "$1"; else fail "$1" "no hooks in $2"; fi
}

no_hooks() { # name file
        if [ -e "$2" ] && ! has_hooks "$2"; then pass "$1"; else fail "$1" "hooks in $2, or no file"; fi
}

# The same questions to the compiler itself and to ours get the same answers.
same_answer() { # name compiler argument...
        name=$1 plain=$2
        shift 2
        "$plain" "$@" >plain.out 2>&1 </dev/null
        plain_status=$?
        heddle cc --compiler "$plain" "$@" >ours.out 2>&1 </dev/null
        status=$?
        if [ $status = $plain_status ] && cmp -s plain.out ours.out; then
                pass "$name"
        else
                fail "$name" "status $status and $plain_status; $(diff plain.out ours.out | head -c 200 | tr '\n' ' ')"
        fi
}

questions() { # compiler
        for question in --version -v -dumpmachine -dumpversion -print-search-dirs -print-prog-name=ld \
                -print-file-name=libc.so.6 -print-multi-os-directory '' --no-such-option; do
                same_answer "$c/question$question" "$c" $question
        done
        same_answer "$c/question_no_such_file" "$c" -c missing.c
        same_answer "$c/question_predefined_of_assembly" "$c" -E -x assembler-with-cpp /dev/null
}

# The stages, names and side files of one source.
stages() {
        silent "$c/object" heddle cc -Wall -Wextra -Werror -c part.c
        hooks "$c/object_hooks" part.o
        silent "$c/optimized" heddle cc -Wall -Wextra -Werror -O2 -fPIC -std=c99 -c part.c -o 'two words.o'
        hooks "$c/optimized_hooks" 'two words.o'
        printf '#include <atomic>\nint main() { std::atomic<int> a{0}; a.wait(1); }\n' >waits.cc
        silent "$c/sections_of_llvm" heddle c++ -std=c++20 -c waits.cc
        silent "$c/assembly" heddle cc -S part.c -o part.s
        expect "$c/assembly_hooks" 0 '__tsan_write4' cat part.s
        expect "$c/preprocessed" 0 'int part' heddle cc -E part.c
        silent "$c/preprocessed_file" heddle cc -Werror -E part.c -o part.i
        expect "$c/preprocessed_macro" 0 'built_by_heddle' cat part.i
        silent "$c/from_preprocessed" heddle cc -Werror -c part.i -o again.o
        hooks "$c/from_preprocessed_hooks" again.o
        expect "$c/from_input" 7 '' sh -c 'echo "int main(void) { return 7; }" | heddle cc -x c - -o input && ./input'
        expect "$c/from_input_xc" 0 HEDDLE sh -c 'echo "#ifdef __HEDDLE__
HEDDLE
#endif" | heddle cc -E -xc -'
        silent "$c/dependencies" heddle cc -MMD -MP -MF part.dep -MT target -c part.c
        expect "$c/dependencies_file" 0 '^target: part.c part.h' cat part.dep
        silent "$c/dependencies_beside" heddle cc -MD -c part.c
        expect "$c/dependencies_beside_file" 0 '^part.o: part.c' cat part.d
        expect "$c/dependencies_only" 0 'part.h' heddle cc -MM part.c
        rm -f ./*.d
        silent "$c/dependencies_linked" heddle cc -MMD -o program main.c part.c
        expect "$c/dependencies_linked_files" 0 'part.h' sh -c 'cat *.d'
        silent "$c/not_instrumented" heddle cc -fno-sanitize=thread -c part.c -o plain.o
        no_hooks "$c/not_instrumented_hooks" plain.o
        silent "$c/sanitize_thread" heddle cc -fsanitize=thread -c part.c -o asked.o
        hooks "$c/sanitize_thread_hooks" asked.o
        silent "$c/syntax_only" heddle cc -fsyntax-only part.c
        silent "$c/header" heddle cc -x c-header part.h -o part.h.gch
        silent "$c/header_used" heddle cc -include part.h -c part.c
        rm -f part.h.gch
        same_answer "$c/error" "$c" -c broken.c
}

linking() {
        silent "$c/several" heddle cc -o program main.c part.c
        expect "$c/several_run" 0 'part 42' ./program
        expect "$c/several_idle" 0 'plain/libheddle-rt.so' ldd ./program
        expect "$c/several_check" 0 'every behaviour explored' heddle check ./program
        silent "$c/mixed" heddle cc -o program main.c part.o
        expect "$c/mixed_run" 0 'part 42' ./program
        silent "$c/with_assembly" heddle cc -DASSEMBLY -o program main.c part.c upper.S lower.s
        expect "$c/with_assembly_run" 0 'part 47' ./program
        silent "$c/no_output_name" heddle cc main.c part.c
        expect "$c/no_output_name_run" 0 'part 42' ./a.out
        turn=0
        for flag in -pie -no-pie -static-libgcc -s -rdynamic -Wl,--as-needed -Wl,-z,now -fno-plt -flto -flto=auto \
                -nodefaultlibs\ -lc -pg --coverage -fsanitize=undefined -fuse-ld=bfd; do
                # Without HEDDLE_TEST_LONG each flag by one compiler.
                turn=$(((turn + 1) % 2))
                [ -n "${HEDDLE_TEST_LONG:-}" ] || [ $c = "$([ $turn = 0 ] && echo clang || echo gcc)" ] || continue
                silent "$c/link $flag" heddle cc $flag -o program main.c part.c
                expect "$c/link $flag run" 0 'part 42' ./program
        done
        rm -f gmon.out ./*.gcda ./*.gcno
        silent "$c/lto_object" heddle cc -O2 -flto -c part.c
        hooks "$c/lto_object_hooks" part.o
        printf '%s\n' '-o "two words"' 'main.c' "'part.c' -DVALUE=\\\"x\\\"" >words
        silent "$c/response_file" heddle cc @words
        expect "$c/response_file_run" 0 'part 42' './two words'
        ar cr empty.a
        awk 'BEGIN { print "-o program main.c part.c"; for (i = 0; i < 20000; i++) print "./././././././././././empty.a" }' >words
        silent "$c/response_file_long" heddle cc @words
        expect "$c/response_file_missing" 1 'no-such-file' heddle cc -c @no-such-file
        expect "$c/no_libc" 9 '' sh -c 'heddle cc -nostdlib -o program start.S && ./program'
        silent "$c/shared" heddle cc -shared -fPIC -o libpart.so part.c
        hooks "$c/shared_hooks" libpart.so
        silent "$c/shared_used" heddle cc -o program main.c -L. -lpart -Wl,-rpath,"$PWD"
        expect "$c/shared_used_run" 0 'part 42' ./program
        silent "$c/shared_plain_program" "$c" -o program main.c -L. -lpart -Wl,-rpath,"$PWD"
        expect "$c/shared_plain_program_run" 0 'part 42' ./program
        silent "$c/shared_loaded" heddle cc -o loader loader.c -ldl
        expect "$c/shared_loaded_run" 0 'part 42' ./loader ./libpart.so
        silent "$c/shared_loaded_plain" "$c" -o loader loader.c -ldl
        expect "$c/shared_loaded_plain_run" 0 'part 42' ./loader ./libpart.so
        silent "$c/relocatable" sh -c "heddle cc -c main.c && heddle cc -r -nostdlib -o both.o main.o part.o"
        silent "$c/cxx" heddle c++ -Wall -Werror -std=c++17 -O1 -o program main.cpp
        expect "$c/cxx_run" 0 'caught 3' ./program
        silent "$c/cxx_by_cc" heddle cc -o program main.cpp -lstdc++
        expect "$c/cxx_by_cc_run" 0 'caught 3' ./program
}

refusals() {
        expect "$c/refused_static" 2 'leave -static out' heddle cc -static main.c part.c
        expect "$c/refused_address" 2 'fsanitize=address' heddle cc -fsanitize=address -c part.c
        expect "$c/refused_list" 2 'fsanitize=leak' heddle cc -fsanitize=undefined,leak -c part.c
        expect "$c/refused_32" 2 '64-bit' heddle cc -m32 -c part.c
        silent "$c/static_object" heddle cc -static -c part.c
}

# Programs that others built, whole or in part: what is found, and what is said to have been seen.
seen() { # name status pattern in the JSON, program
        heddle check --json json "./$4" >"$work/out" 2>&1
        status=$?
        tr -d '\n' <json >line
        if [ $status = "$2" ] && grep -q -e "$3" line; then
                pass "$1"
        else
                fail "$1" "status $status; $(grep -o '"modules.*isolation' line | head -c 300) $(head -c 200 "$work/out")"
        fi
        rm -f json
}

others() {
        link="-L. -Wl,-rpath,."
        "$c" -fPIC -shared -o libaccount.so account.c
        heddle cc -o bank bank.c $link -laccount
        seen "$c/plain_library" 4 'bank", "scope": "accesses"}.*libaccount.so", "scope": "calls"}' bank
        expect "$c/plain_library_said" 4 "calls of deposit of libaccount.so, which was not built by heddle cc" heddle check ./bank
        heddle cc -fPIC -shared -o libaccount.so account.c
        seen "$c/both_instrumented" 1 'libaccount.so", "scope": "accesses"}' bank
        "$c" -o bank bank.c $link -laccount
        seen "$c/plain_program" 1 'bank", "scope": "calls"}.*libaccount.so", "scope": "accesses"}' bank
        "$c" -fPIC -shared -o libaccount.so account.c
        seen "$c/all_plain" 0 '"preempt": "sync",.*"instrumented": false.*bank", "scope": "calls"}' bank
        "$c" -o locks locks.cpp -lstdc++
        seen "$c/plain_cxx" 1 '"kind": "deadlock"' locks
        "$c" -fsanitize=address -o bank bank.c account.c
        expect "$c/address_sanitizer" 2 'AddressSanitizer' heddle check ./bank
        "$c" -fsanitize=thread $1 -o bank bank.c account.c
        seen "$c/thread_sanitizer" 1 '"preempt": "all",.*"instrumented": true' bank
        "$c" -fsanitize=thread $1 -o locks locks.cpp -lstdc++
        seen "$c/thread_sanitizer_cxx" 1 '"kind": "deadlock"' locks
}

project() { # name: copies a small project of C, C++ and assembly
        mkdir "$1" && cp part.c part.h main.cpp upper.S "$here"/project/* "$1"
}

with_cmake() {
        command -v cmake >/dev/null || { skip "$c/cmake" 'cmake is not installed'; return; }
        project cmake
        CC="heddle cc" CXX="heddle c++" expect "$c/cmake" 0 "identification is $id" cmake -S cmake -B cmake/build
        expect "$c/cmake_build" 0 '' cmake --build cmake/build
        expect "$c/cmake_run" 0 'part 42' cmake/build/program
        hooks "$c/cmake_hooks" cmake/build/libpart.so
        expect "$c/cmake_one_word" 0 "identification is $id" cmake -DASSEMBLY=1 -DCMAKE_C_COMPILER=heddle-cc \
                -DCMAKE_CXX_COMPILER=heddle-c++ -S cmake -B cmake/build2
        expect "$c/cmake_one_word_build" 0 '' cmake --build cmake/build2
        expect "$c/cmake_one_word_run" 0 'part 42' cmake/build2/program
}

with_meson() {
        command -v meson >/dev/null || { skip "$c/meson" 'meson is not installed'; return; }
        project meson
        CC="heddle cc" CXX="heddle c++" expect "$c/meson" 0 "compiler is $c" meson setup meson/build meson
        expect "$c/meson_build" 0 '' ninja -C meson/build
        expect "$c/meson_run" 0 'part 42' meson/build/program
        hooks "$c/meson_hooks" meson/build/libpart.so
}

with_ccache() {
        command -v ccache >/dev/null || { skip "$c/ccache" 'ccache is not installed'; return; }
        for n in 1 2; do
                silent "$c/ccache_$n" ccache heddle cc --compiler "$c" -c part.c -o cached.o
                hooks "$c/ccache_hooks_$n" cached.o
        done
        silent "$c/ccache_one_word" ccache heddle-cc --compiler "$c" -c part.c -o cached.o
}

# What programs call must be in the library they are linked to, and that one must replace nothing of libc.  A debugger
# and plugins call the runtime itself; outside `check`, libatomic does what its generic functions do.
exported() { nm -D --defined-only "$1" | awk '{ print $3 }' | sort; }
runtime=$(dirname "$heddle")
exported "$runtime/plain/libheddle-rt.so" >"$work/plain"
exported "$runtime/libheddle-rt.so" | grep -E '^(__tsan_|__heddle_|Annotate|heddle_|__VERIFIER_|reach_error|assume_abort_if_not|__atomic_)' |
        grep -vE '^heddle_(debug_|rt_op$|rt_record_dump$)|^__atomic_(load|store|exchange|compare_exchange)$' >"$work/whole"
expect plain_exports 0 '' sh -c "[ -s '$work/whole' ] && diff '$work/plain' '$work/whole'"

# The functions of SV-COMP that a program defines itself keep their meaning, whatever the compiler would make of them.
named() {
        for level in -O1 -O2; do
                set -- -I"$root/tests/litmus" $level
                expect "$c/reach_error $level" 1 'reach_error() was called' \
                        heddle check "$@" "$root/tests/litmus/svcomp_reach_error_empty/svcomp_reach_error_empty.c"
                expect "$c/assume_abort_if_not $level" 0 '1 cut' heddle check "$@" -DOWN "$root/tests/litmus/assume_abort/assume_abort.c"
                expect "$c/atomic_function $level" 0 '(4 executions (2 of them probes)' \
                        heddle check "$@" "$root/tests/litmus/svcomp_atomic_function/svcomp_atomic_function.c"
        done
}

# A build that asks for its compilers in three ways, one of which cannot be replaced.
whole_build() {
        mkdir whole && cp bank.c account.c *.h whole/ && cd whole || exit 3
        printf '%s\n' 'all:' '	gcc -g -c account.c' '	$(CC) -g -c bank.c' '	$(CC) -pthread -o bank bank.o account.o' >Makefile
        expect "$c/build" 0 '3 objects and programs made, all instrumented' heddle build --compiler=$c make
        expect "$c/build_modules" 0 '^accesses .*/bank$' heddle doctor ./bank
        rm -f ./*.o bank
        printf '%s\n' 'all:' "	$(command -v $c) -g -c account.c" '	$(CC) -g -c bank.c' '	$(CXX) -pthread -o bank bank.o account.o' >Makefile
        expect "$c/build_not_ours" 0 '^  account.o$' heddle build make
        expect "$c/build_checked" 1 assertion heddle check ./bank
        rm -f ./*.o bank
        printf '%s\n' 'echo "CC = $CC" >config.mk' >configure
        printf '%s\n' 'include config.mk' 'all:' '	$(CC) -g -pthread -o bank bank.c account.c' >Makefile
        expect "$c/build_configure" 0 'made no objects' heddle build --compiler=$c sh configure
        expect "$c/build_later" 0 '' make
        expect "$c/build_later_modules" 0 '^accesses .*/bank$' heddle doctor ./bank
        cd ..
}

for c in clang gcc; do
        command -v $c >/dev/null || { skip "$c" "$c is not installed"; continue; }
        HEDDLE_COMPILER=$c
        export HEDDLE_COMPILER
        case $c in clang) id=Clang ;; *) id=GNU ;; esac
        mkdir "$work/$c folder" && cd "$work/$c folder" && cp "$here"/*.[cShs] "$here"/*.cpp . || exit 3
        questions
        stages
        linking
        refusals
        named
        if [ $c = clang ]; then
                clang -fsanitize=thread -o bank bank.c account.c
                expect clang/thread_sanitizer_inside 2 'shared-libsan' heddle check ./bank
                others -shared-libsan
        else
                others
                # gcc announces a struct copy before it makes it: never called safe.
                expect gcc/struct_copy 4 'struct copies' heddle check copied.c
                expect gcc/no_struct_copy 0 '' heddle check -DMEMBERS copied.c
                expect gcc/weak_struct_copy 2 'copy() (copied.c:14) copies a struct' heddle check --memory tso copied.c
                expect gcc/weak_no_struct_copy 0 '(8 executions (4 of them probes)' heddle check --memory tso -DMEMBERS copied.c
                expect gcc/weak_outcomes 0 'Outcomes: 4' heddle check --memory tso -DPLAIN --observe r1,r2 "$root/tests/memory/litmus/sb.c"
        fi
        whole_build
        with_cmake
        with_meson
        with_ccache
done
exit $failed
