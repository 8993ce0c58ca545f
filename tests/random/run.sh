#!/bin/sh
# Random strategies: pct meets bugs as often as it promises; the same seed gives the same executions; loops end; outcomes
# are among those of dfs, and all of them with enough runs; failures replay; nothing is ever called safe.
. "$(dirname "$0")/../programs/lib.sh"
here=$root/tests/random
BUILD=${BUILD:-$root/build}

build() { # program flags... source
        program=$1
        shift
        "$HEDDLE" cc -g -O0 -pthread -I"$root/include" "$@" -o "$tmp/$program" 2>"$tmp/err" || fail "$program" "does not build"
}

# promise DEPTH PAD EXECUTIONS: a bug of that depth shows itself at least once in n k^(depth - 1) executions.
promise() {
        build depth -DDEPTH="$1" -DPAD="$2" "$here/depth.c"
        heddle_check --strategy pct --pct-depth "$1" --executions "$3" --seed 1 --keep-going "$tmp/depth"
        if awk -v d="$1" -v e="$(field executions)" -v c="$(field failures.0.count)" -v t="$(field transitions)" \
                'BEGIN { n = 3; k = t / e; exit !(e > 0 && c >= e / (n * k ^ (d - 1))) }'; then
                pass "pct_promise depth=$1 count=$(field failures.0.count) of $3"
        else
                fail "pct_promise depth=$1" "only $(field failures.0.count) of $3"
        fi
}
promise 1 10 2000
promise 2 10 20000
promise 3 3 40000

# seeds: the same one twice, and another one.
build depth -DDEPTH=3 -DPAD=3 "$here/depth.c"
for strategy in random pct pos; do
        for seed in 7 7 8; do
                heddle_check --strategy $strategy --seed $seed --executions 30000 "$tmp/depth"
                echo "$(field failures.0.execution) $(field failures.0.schedule)"
        done >"$tmp/seeds"
        if [ "$(uniq "$tmp/seeds" | wc -l)" = 2 ]; then pass "seed $strategy"; else fail "seed $strategy" "$(cat "$tmp/seeds")"; fi
        why=
        replays "$tmp/depth"
        if [ -z "$why" ]; then pass "replay $strategy"; else fail "replay $strategy" "$why"; fi
done

# without a limit there is a budget, and no run of threads that cannot fail is called safe.
echo 'int main(void) { return 0; }' >"$tmp/one.c"
build one "$tmp/one.c"
build right "$root/examples/spsc_ring.c"
for strategy in random pct pos; do
        why=
        heddle_check --strategy $strategy "$tmp/one"
        differs "exit status" 4 "$status"
        differs verdict unknown "$(field verdict)"
        heddle_check --strategy $strategy "$tmp/right"
        differs "exit status" 4 "$status"
        differs verdict unknown "$(field verdict)"
        differs executions 10000 "$(field executions)"
        if [ -z "$why" ]; then pass "never_safe $strategy"; else fail "never_safe $strategy" "$why"; fi
done

# loops that wait for others end, and do not make executions long.
for flag in -DYIELD -DPLAIN; do
        build impatient "$flag" "$here/impatient.c"
        heddle_check --strategy pct --executions 2000 "$tmp/impatient"
        why=
        differs "exit status" 4 "$status"
        differs executions 2000 "$(field executions)"
        [ "$(field events)" -lt 8000000 ] || why="$(field events) events"
        if [ -z "$why" ]; then pass "impatient $flag"; else fail "impatient $flag" "$why"; fi
done

outcomes() {
        awk -F "$tab" '$1 ~ /^outcomes\.[0-9]+\.state\./ { sub(/^outcomes\./, "", $1); i = $1; sub(/\..*/, "", i)
                sub(/.*\./, "", $1); s[i] = s[i] $1 "=" $2 " " } END { for (i in s) print s[i] }' "$tmp/flat" | sort
}

build choices "$here/choices.c"
for strategy in random pct pos; do
        heddle_check --strategy $strategy --executions 2000 --observe first,value "$tmp/choices"
        if [ "$(outcomes | wc -l)" = 9 ]; then pass "choices $strategy"; else fail "choices $strategy" "$(outcomes)"; fi
done

# generated programs: what random schedules reach, dfs reaches; with many runs, and few executions in all, everything.
"$root/tests/oracle/build.sh" "$BUILD/oracle" >"$tmp/err" 2>&1
"$BUILD/oracle/generate" -l 300 4242 30 >"$tmp/generated.c"
build generated "$tmp/generated.c"
wrong= compared=0 whole=0
for i in $(seq 0 29); do
        heddle_check --strategy dfs --keep-going --observe r,x "$tmp/generated" "$i"
        [ "$(field complete)" = true ] || continue
        outcomes >"$tmp/dfs"
        for strategy in random pct pos; do
                heddle_check --strategy $strategy --pct-depth 4 --executions 3000 --keep-going --observe r,x "$tmp/generated" "$i"
                outcomes >"$tmp/random"
                [ -z "$(comm -13 "$tmp/dfs" "$tmp/random")" ] || wrong="$wrong $strategy:$i"
                compared=$((compared + 1))
                cmp -s "$tmp/dfs" "$tmp/random" && whole=$((whole + 1))
        done
done
if [ -z "$wrong" ] && [ "$compared" -gt 50 ] && [ $((whole * 100)) -ge $((compared * 95)) ]; then
        pass "outcomes compared=$compared all_reached=$whole"
else
        fail "outcomes" "not among those of dfs:$wrong; $whole of $compared reached all"
fi
finish
