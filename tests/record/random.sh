# Sourced by run.sh: RANDOM_PROGRAMS recordings of random programs (random.c), all reproduced.
# shellcheck shell=sh disable=SC2154,SC2034
# Random programs that fail: each is reproduced, with the recorded outcome of every branch.
random_programs() {
        why=
        n=0
        seed=0
        values=0
        others=0
        cc -O1 -o random "$here/random.c" || why="the generator cannot be built"
        while [ $n -lt "$RANDOM_PROGRAMS" ] && [ -z "$why" ] && [ $seed -lt $((RANDOM_PROGRAMS * 2 + 5)) ]; do
                seed=$((seed + 1))
                ./random $seed >random_$seed.c
                "$HEDDLE" cc --record --compiler clang -g -O1 random_$seed.c -o random_$seed 2>run.err ||
                        why="random $seed: $(head -n 1 run.err)"
                timeout 100 "$HEDDLE" record --jitter --seed $seed --timeout 10s --until-failure 300 -o random.rec ./random_$seed \
                        >native.out 2>&1
                [ $? = 1 ] || continue # it did not fail
                [ -n "$why" ] || reproduced random_$seed random.rec assertion
                [ -z "$why" ] || why="random $seed: $why"
                grep '^o' native.out >native.o
                grep '^o' random_$seed.replay >replay.o
                [ -n "$why" ] || cmp -s native.o replay.o || why="random $seed: other branches"
                grep '^[ov]' native.out >native.v
                grep '^[ov]' random_$seed.replay >replay.v
                excluded=$(grep -c '^The recorded times exclude these values' random_$seed.out)
                others=$((others + excluded))
                if cmp -s native.v replay.v; then
                        values=$((values + 1))
                        [ "$excluded" = 0 ] || why="random $seed: the true values are excluded"
                fi
                rm -f random_$seed*
                n=$((n + 1))
        done
        [ -n "$why" ] || [ $n = "$RANDOM_PROGRAMS" ] || why="only $n programs failed"
        echo "$n random programs; all values are those of the recorded run in $values, the times exclude those of $others"
        verdict random_programs
}
