# Sourced by run.sh: recordings of heddle's own executions, which have no times: what the search along the paths takes.
# shellcheck shell=sh disable=SC2154,SC2034
# few NAME: the failure of a random execution under heddle, recorded from it: at most a tenth of the executions of optimal.
few() {
        why=
        args=
        "$HEDDLE" cc --record --compiler clang -g -O1 -D"$1" "$here/programs/few.c" -o few 2>few.err || why="cannot be built"
        timeout 60 "$HEDDLE" check --quiet --strategy optimal --keep-going --json all.json ./few >run.out 2>&1
        timeout 60 "$HEDDLE" check --quiet --strategy random --executions 100000 --json one.json ./few >run.out 2>&1
        awk -f "$json_awk" one.json >"$tmp/flat"
        "$HEDDLE" replay --quiet --record few.rec "$(field failures.0.schedule)" -- ./few >run.out 2>&1
        [ -s few.rec ] || why="no recording: $(tail -n 1 run.out)"
        reproduced few few.rec assertion
        runs=$(($(field executions) + $(field probes) + $(field blocked) + $(field cut.assume)))
        awk -f "$json_awk" all.json >"$tmp/flat"
        all=$(field executions)
        [ -n "$why" ] || [ $((runs * 10)) -le "$all" ] || why="$runs executions, and optimal needs $all"
        verdict "few_$1"
}
few PETERSON
few BAKERY
few RV

# Long paths with a conflict at every step.
why=
args=30
"$HEDDLE" cc --record --compiler clang -g -O0 "$here/programs/dense.c" -o dense 2>dense.err || why="cannot be built"
"$HEDDLE" check --quiet --strategy random --seed 1 --json one.json ./dense $args >run.out 2>&1
awk -f "$json_awk" one.json >"$tmp/flat"
"$HEDDLE" replay --quiet --record dense.rec "$(field failures.0.schedule)" -- ./dense $args >run.out 2>&1
timeout 100 "$HEDDLE" reproduce --quiet --stray 0 --memory sc --time 80s dense.rec >run.out 2>&1
code=$?
[ "$code" = 1 ] || why="$why${why:+; }reproduce ends with $code: $(tail -n 1 run.out)"
verdict long_paths_with_conflicts

# Two crashes on one path: what is found is the recorded one, by its place.
why=
args=
build_recorded elsewhere
"$HEDDLE" check --quiet --keep-going --json all.json ./elsewhere >run.out 2>&1
for i in 0 1; do
        awk -f "$json_awk" all.json >"$tmp/flat"
        line=$(field failures.$i.where.line)
        "$HEDDLE" replay --quiet --record elsewhere.rec "$(field failures.$i.schedule)" -- ./elsewhere >run.out 2>&1
        reproduced elsewhere elsewhere.rec crash
        found=$(field failures.0.where.line)
        [ -n "$line" ] && [ "$line" = "$found" ] || why="$why${why:+; }recorded in line $line, found in line $found"
        grep -q "^Stack: as recorded, elsewhere.c:$line (use < read_both)" elsewhere.out ||
                why="$why${why:+; }the stack is not compared: $(grep '^Stack' elsewhere.out)"
done
verdict crash_elsewhere
