#!/bin/sh
# The example project: its ctest passes one test and shows the failure of the other.
cd "$(dirname "$0")" || exit 3
heddle=${HEDDLE:-$PWD/../../build/heddle}
out=$(mktemp -d "${TMPDIR:-/tmp}/heddle-test.XXXXXX") || exit 3
trap 'rm -rf "$out"' EXIT

command -v cmake >/dev/null || { echo "FAIL ctest: cmake is not installed"; exit 1; }
cmake -S ../../examples/ctest -B "$out/build" -DHEDDLE_EXECUTABLE="$heddle" >"$out/log" 2>&1 &&
        cmake --build "$out/build" >>"$out/log" 2>&1 || { echo "FAIL ctest/build:"; cat "$out/log"; exit 1; }
echo "PASS ctest/build"
ctest --test-dir "$out/build" --output-on-failure >"$out/tests" 2>&1

has() { # name pattern file
        if grep -q -e "$2" "$3"; then echo "PASS ctest/$1"; else echo "FAIL ctest/$1: no '$2' in:"; cat "$3"; fi
}
has passes 'counter .*Passed' "$out/tests"
has fails 'counter_without_lock .*Failed' "$out/tests"
has shows 'assertion .counter_get() == 3. failed' "$out/tests"
has html 'application/json' "$out/build/reports/counter_without_lock.html"
# A header that changes builds the test again.
mkdir "$out/copy"
cp ../../examples/ctest/*.[ch] "$out/copy"
sed -e 's|PATHS .*)|PATHS ${CMAKE_CURRENT_LIST_DIR}/cmake)|' ../../examples/ctest/CMakeLists.txt >"$out/copy/CMakeLists.txt"
ln -s "$(cd ../.. && pwd)/cmake" "$out/copy/cmake"
for generator in 'Unix Makefiles' Ninja; do
        rm -rf "$out/again"
        cmake -G "$generator" -S "$out/copy" -B "$out/again" -DHEDDLE_EXECUTABLE="$heddle" >"$out/log" 2>&1 &&
                cmake --build "$out/again" >>"$out/log" 2>&1
        before=$(stat -c %Y.%i "$out/again/counter.heddle")
        cmake --build "$out/again" >>"$out/log" 2>&1
        [ "$(stat -c %Y.%i "$out/again/counter.heddle")" = "$before" ] && echo "PASS ctest/built_once_$generator" ||
                { echo "FAIL ctest/built_once_$generator:"; cat "$out/log"; }
        sleep 1.1
        echo '/* changed */' >>"$out/copy/counter.h"
        cmake --build "$out/again" >>"$out/log" 2>&1
        [ "$(stat -c %Y.%i "$out/again/counter.heddle")" != "$before" ] && echo "PASS ctest/built_again_$generator" ||
                { echo "FAIL ctest/built_again_$generator:"; cat "$out/log"; }
done
has junit '<failure type="assertion"' "$out/build/reports/counter_without_lock.junit.xml"
