#!/bin/sh
# Accesses of mixed widths: the same outcomes in the same number of executions, whether our instrumenter announces them by calls (-O0) or
# compares them inline (-O2), whether ThreadSanitizer's pass does, or gcc.  Read by run.sh, which defines dir, fail and HEDDLE.
# shellcheck disable=SC2154

outcomes_of() { # compiler level
        "$HEDDLE" cc --compiler "$1" -w -g "$2" -pthread "$dir/widths.c" -o "$dir/widths" &&
                timeout 100 "$HEDDLE" check --quiet --strategy optimal --only crash --observe seen0,seen1,left --json "$dir/json" "$dir/widths" >"$dir/out" 2>&1
        grep -q '"complete": true' "$dir/json" || echo incomplete
        tr -d ' \n' <"$dir/json" | grep -o '"state":{[^}]*}' | sort
}

cc -O1 -o "$dir/widths-make" tests/instrument/widths.c
mkdir -p "$dir/other"
printf '#!/bin/sh\n[ "$1" = -dumpversion ] && { echo 2.0.0; exit; }\nexec clang "$@"\n' >"$dir/other/clang-2"
chmod +x "$dir/other/clang-2"
seed=${HEDDLE_SEED:-1} last=$((${HEDDLE_SEED:-1} + ${HEDDLE_WIDTHS:-$([ -n "${HEDDLE_TEST_LONG:-}" ] && echo 300 || echo 8)}))
differ=
while [ "$seed" -lt "$last" ] && [ -z "$differ" ]; do
        "$dir/widths-make" "$seed" >"$dir/widths.c"
        outcomes_of clang -O0 >"$dir/wanted"
        for how in 'clang -O2' "$dir/other/clang-2 -O1" 'gcc -O1'; do
                # shellcheck disable=SC2086
                outcomes_of $how >"$dir/got"
                cmp -s "$dir/wanted" "$dir/got" || differ="seed $seed, $how: $(wc -l <"$dir/wanted") outcomes by calls, $(wc -l <"$dir/got")"
        done
        seed=$((seed + 1))
done
if [ -z "$differ" ]; then echo "PASS instrument/widths"; else fail widths "$differ"; fi
