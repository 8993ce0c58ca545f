#!/bin/sh
# heddle static and check --static on.  Each row of reads.tsv has its numbers of reads and of irrelevant ones, and its classes with
# --static off and on, with the same failures.  Each row of edges.tsv is found, and is not found without its kind of dependence.
# The dependences of generated programs are those that the generator knows.  Random programs (random.awk; in long runs those of
# tests/oracle, too) have the same outcomes and failures with and without.  --plain: not the mutations.
# Seconds: 15
. "$(dirname "$0")/../programs/lib.sh"

here=$root/tests/static
command -v clang >/dev/null || { echo 'SKIP static: clang is not installed'; exit 0; }
"$HEDDLE" doctor 2>/dev/null | grep -q '^ok *heddle static' || { echo 'SKIP static: built without LLVM'; exit 0; }

# is NAME WANTED GOT
is() {
        if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "wanted '$2', got '$3'"; fi
}

keep() { # OUTPUT WORD...
        output=$1
        shift
        "$HEDDLE" cc --compiler clang --keep-ir -g "$@" -o "$output" 2>"$tmp/err" || fail "$output" 'it does not compile'
}

figures() { # FILE...
        "$HEDDLE" static "$@" 2>&1 | sed -n '1s/ reads, \([0-9]*\) of.*/ \1/p'
}

# What a check says: classes, failures, outcomes.
verdict() { # on|off WORD...
        on=$1
        shift
        heddle_check --strategy mcr --static "$on" --keep-going "$@"
        echo "$(field value_classes)/$(field failures.0.kind)/$(sed -n '/^outcomes\.[0-9]*\.state/p' "$tmp/flat" | sort | cksum)"
}

table() { # FILE
        sed '/^#/d' "$here/$1" >"$tmp/$1"
}

table reads.tsv
while IFS=$tab read -r name flags reads irrelevant off on; do
        [ "$flags" = - ] && flags=
        # shellcheck disable=SC2086
        keep "$tmp/$name" $flags "$here/programs/$name.c"
        is "$name $flags: reads" "$reads $irrelevant" "$(figures "$tmp/$name")"
        is "$name $flags: off" "$off" "$(verdict off "$tmp/$name" | cut -d / -f 1,2)"
        is "$name $flags: on" "$on" "$(verdict on "$tmp/$name" | cut -d / -f 1,2)"
done <"$tmp/reads.tsv"

# The default is on where the program has IR.
heddle_check --strategy mcr --keep-going "$tmp/statistics"
is 'the default, with IR' 2 "$(field value_classes)"

# Listing 4.1: executions of MCR, MCR-S and MCR-S+ as the thesis has them; these never prove anything.
keep "$tmp/listing" "$here/programs/listing.c"
while read -r executions options; do
        # shellcheck disable=SC2086
        heddle_check --strategy mcr $options --races off "$tmp/listing"
        is "listing $options" "$executions/3/4" "$(field executions)/$(field value_classes)/$status"
done <<'EOF'
3 --mcr published
4 --static published-s
3 --static published
EOF

table edges.tsv
while IFS=$tab read -r kind options classes failure; do
        [ "$options" = - ] && options=
        keep "$tmp/edges" -DKIND="$(echo "$kind" | tr '[:lower:]' '[:upper:]')" "$here/programs/edges.c"
        # shellcheck disable=SC2086
        with=$(HEDDLE_STATIC_DROP=contexts verdict on $options "$tmp/edges")
        is "a dependence by $kind" "$classes/${failure#-}" "${with%/*}"
        # shellcheck disable=SC2086
        without=$(HEDDLE_STATIC_DROP=$kind verdict on $options "$tmp/edges")
        if [ "$with" != "$without" ]; then pass "without $kind"; else fail "without $kind" "nothing is lost: $with"; fi
done <"$tmp/edges.tsv"

# What the analysis does not follow.
for kind in POINTER VARIABLE SETJMP ASSEMBLY OUTSIDE BYTES INTEGER HANDED OFFSET LIST JOINED EXITED BLOCK; do
        keep "$tmp/everything" -DKIND=$kind "$here/programs/everything.c"
        is "found with $kind" 2/abort "$(verdict on "$tmp/everything" | cut -d / -f 1,2)"
done

# Values that pass through what is easily forgotten: the same failures, outcomes and races with and without, by mcr in both cases: that
# a wrong dependence is seen at run time is the last resort.
shown() { # on|off OPTION...
        all=$(verdict "$@" --time 20s "$tmp/flows")
        echo "${all#*/}/$(field races.0.kind)/$(field outputs.1.text)/$(field instead.reason)"
}
flows='8 17 31 46 74 90 91 107 110 111 113 125 126 127 128 129 130 131 132 134 135 136 137 138 139'
[ "${HEDDLE_TEST_LONG:-}" ] && flows=$(seq 139)
for k in $flows; do
        options=
        flags=-lm
        case $k in
        26) options='--observe seen' ;;
        27) options='--invariant seen<=1' ;;
        129) options='--final is_good' ;;
        130 | 134) flags='-O1 -lm' ;;
        132) flags='-O2 -lm' ;;
        esac
        # shellcheck disable=SC2086
        keep "$tmp/flows" -w -DK="$k" "$here/programs/flows.c" $flags
        # shellcheck disable=SC2086
        off=$(shown off $options)
        # shellcheck disable=SC2086
        is "flow $k" "$off" "$(shown on $options)"
done

# C++: exceptions, virtual functions, containers.
for k in 1 2 4 5 7 10 11 12 13 14 15 16 17; do
        "$HEDDLE" c++ --compiler clang++ --keep-ir -g -w -DK=$k "$here/programs/containers.cc" -o "$tmp/containers" 2>"$tmp/err" ||
                fail "C++ $k" 'it does not compile'
        is "C++ $k" abort "$(verdict on "$tmp/containers" | cut -d / -f 2)"
        [ "${HEDDLE_TEST_LONG:-}" ] || [ $k != 2 ] || break
done
"$HEDDLE" c++ --compiler clang++ --keep-ir -g -w -DK=9 "$here/programs/containers.cc" -o "$tmp/containers"
is 'C++, a counter' 1/ "$(verdict on "$tmp/containers" | cut -d / -f 1,2)"

# Variables that are observed have mangled names.
"$HEDDLE" c++ --compiler clang++ --keep-ir -g -w "$here/programs/observed.cc" -o "$tmp/observed"
for name in hidden space::open open space::Type::member local renamed; do
        verdict on --observe $name "$tmp/observed" >/dev/null
        is "$name is observed" 2 "$(grep -c '^outcomes\.[0-9]*\.state' "$tmp/flat")"
done

# A part of the program has no IR: it reads what the rest only writes.
keep "$tmp/whole" -DPART=0 "$here/programs/parts.c"
is 'a whole program' 1/ "$(verdict on "$tmp/whole" | cut -d / -f 1,2)"
keep "$tmp/parts.o" -DPART=1 -c "$here/programs/parts.c"
"$HEDDLE" cc --compiler clang -g -DPART=2 -o "$tmp/parts" "$here/programs/parts.c" "$tmp/parts.o"
is 'a part without IR' 2/abort "$(verdict on "$tmp/parts" | cut -d / -f 1,2)"
is 'a part without IR is named' 'inspect has no IR: all variables with a name that it can use are relevant' \
        "$("$HEDDLE" static "$tmp/parts" | sed -n 2p)"

# A function of the IR is not the one that is called: weak and replaced, behind --wrap, untyped code of an assembler.
keep "$tmp/replaced.o" -DPART=1 -c "$here/programs/replaced.c"
"$HEDDLE" cc --compiler clang -g -DPART=2 -o "$tmp/replaced" "$here/programs/replaced.c" "$tmp/replaced.o"
is 'a weak function that is replaced' 2/abort "$(verdict on "$tmp/replaced" | cut -d / -f 1,2)"
keep "$tmp/body.o" -DPART=5 -c "$here/programs/replaced.c"
keep "$tmp/wrap.o" -DPART=3 -c "$here/programs/replaced.c"
keep "$tmp/declared.o" -DPART=1 -DDECLARED -c "$here/programs/replaced.c"
keep "$tmp/replaced" -Wl,--wrap=look "$tmp/declared.o" "$tmp/body.o" "$tmp/wrap.o"
is 'a function behind --wrap' 2/abort "$(verdict on "$tmp/replaced" | cut -d / -f 1,2)"
clang -DPART=4 -c "$here/programs/replaced.c" -o "$tmp/code.o"
keep "$tmp/replaced" "$tmp/declared.o" "$tmp/code.o"
is 'code without a type is named' 'look has no IR: all variables with a name that it can use are relevant' \
        "$("$HEDDLE" static "$tmp/replaced" | sed -n 2p)"

# The dependences of generated programs.
seed=1
last=${HEDDLE_TEST_LONG:+300}
while [ "$seed" -le "${last:-3}" ]; do
        rm -f "$tmp/wanted"
        awk -v seed=$seed -v edges="$tmp/wanted" -f "$here/generate.awk" >"$tmp/known.c"
        keep "$tmp/known.o" -O1 -c "$tmp/known.c"
        sort -u "$tmp/wanted" >"$tmp/edges.wanted"
        "$HEDDLE" static "$tmp/known.o" | sed '1,/^dependences/d' |
                sed -e 's/known\.c:\([0-9]*\):[0-9]*/\1/g' -e 's/^ *//' | sort -u >"$tmp/edges.got"
        is "known dependences, seed $seed" '' "$(diff "$tmp/edges.wanted" "$tmp/edges.got" | head -n 5)"
        seed=$((seed + 1))
done

# Random programs whose values flow through memory of all kinds: the same failures and outputs with and without.
ends() { # on|off
        heddle_check --strategy mcr --static "$1" --keep-going --time 20s "$tmp/flowing"
        grep -E '^(verdict|failures\.[0-9]*\.kind|outputs\.[0-9]*\.text|instead\.reason)' "$tmp/flat" | sed 's/^.*'"$tab"'//' | sort
}
seed=1
last=${HEDDLE_TEST_LONG:+1000}
while [ "$seed" -le "${last:-8}" ]; do
        awk -v seed=$seed -f "$here/random.awk" >"$tmp/flowing.c"
        keep "$tmp/flowing" -w -O$((seed % 3)) "$tmp/flowing.c"
        is "values that flow, seed $seed" "$(ends off)" "$(ends on)"
        seed=$((seed + 1))
done

# Random programs.
if [ "${HEDDLE_TEST_LONG:-}" ]; then
        (cd "$root" && tests/oracle/build.sh "$tmp/oracle")
        number=0
        while [ "$number" -lt 1000 ]; do
                "$tmp/oracle/generate" -l 800 "${SEED:-1}" 1000 "$number" >"$tmp/random.c"
                keep "$tmp/random" -O$((number % 3)) "$tmp/random.c"
                memory=$(echo 'sc sc tso pso' | cut -d ' ' -f $((number % 4 + 1)))
                off=$(verdict off --memory "$memory" --observe x "$tmp/random" "$number")
                is "random program $number, $memory" "${off#*/}" \
                        "$(verdict on --memory "$memory" --observe x "$tmp/random" "$number" | cut -d / -f 2-)"
                number=$((number + 1))
        done
fi

# The story of a failure has no counters; without IR it takes a counter for what was checked.
keep "$tmp/story" "$here/programs/story.c"
heddle_check "$tmp/story"
is 'a story' 'check-then-act on balance' "$(field failures.0.explanation | cut -d : -f 1)"
heddle_check --static off "$tmp/story"
is 'a story, off' 'check-then-act on bytes' "$(field failures.0.explanation | cut -d : -f 1)"

# deepen tries races of counters last.
keep "$tmp/idle" "$here/programs/idle.c"
heddle_check --strategy deepen --static off --minimize never "$tmp/idle"
off=$(field failures.0.execution)
heddle_check --strategy deepen --minimize never "$tmp/idle"
on=$(field failures.0.execution)
if [ "${on:-0}" -gt 0 ] && [ $((on * 5)) -lt "${off:-0}" ]; then pass 'deepen'; else fail deepen "execution $on, with --static off $off"; fi

# The IR of objects is that of the program.
keep "$tmp/statistics.o" -c "$here/programs/statistics.c"
keep "$tmp/statistics" "$here/programs/statistics.c"
is 'an object' "$(figures "$tmp/statistics")" "$(figures "$tmp/statistics.o")"

is 'a source' "$(figures "$tmp/statistics")" "$(figures "$here/programs/statistics.c")"

# What cannot be read is named, in one line.
"$HEDDLE" cc --compiler clang -g -o "$tmp/without" "$here/programs/statistics.c"
is 'no IR' "heddle: $tmp/without has no IR; compile it with heddle cc --keep-ir" "$("$HEDDLE" static "$tmp/without" 2>&1)"
heddle_check --strategy mcr --keep-going "$tmp/without"
is 'the default, without IR' 12 "$(field value_classes)"
is 'no IR, check' "heddle: --static on: $tmp/without has no IR; compile it with heddle cc --keep-ir" \
        "$("$HEDDLE" check --strategy mcr --static on "$tmp/without" 2>&1)"
is 'a foreign file' "heddle: $here/reads.tsv is neither an object file nor a program; compile it with heddle cc --keep-ir" \
        "$("$HEDDLE" static "$here/reads.tsv" 2>&1)"
is 'a pipe' "heddle: $tmp/pipe is neither an object file nor a program; compile it with heddle cc --keep-ir" \
        "$(mkfifo "$tmp/pipe" && timeout 20 "$HEDDLE" static "$tmp/pipe" 2>&1)"
ar rc "$tmp/archive.a" "$tmp/statistics.o"
is 'an archive' "heddle: $tmp/archive.a is an archive; give its objects, or a program" "$("$HEDDLE" static "$tmp/archive.a" 2>&1)"
head -c 3000 "$tmp/statistics.o" >"$tmp/half.o"
is 'half an object' "heddle: $tmp/half.o is damaged or cut off: it has no sections" "$("$HEDDLE" static "$tmp/half.o" 2>&1)"
is 'a file behind --' "$(figures "$tmp/statistics")" "$(figures -- "$tmp/statistics")"
is 'an access and why' '  statistics.c:39:14 read total: relevant, since a branch depends on it' \
        "$("$HEDDLE" static "$tmp/statistics" | grep '39:14 read total:')"
at=$(grep -abo heddleIR "$tmp/statistics.o" | head -n 1 | cut -d : -f 1)
cp "$tmp/statistics.o" "$tmp/newer.o"
printf '\143' | dd of="$tmp/newer.o" bs=1 seek=$((at + 12)) conv=notrunc 2>/dev/null
is 'IR of a newer LLVM' "heddle: $tmp/newer.o: its IR is of LLVM 99" "$("$HEDDLE" static "$tmp/newer.o" 2>&1 | sed 's/, and.*//')"
printf '\377' | dd of="$tmp/statistics.o" bs=1 seek=$((at + 200)) conv=notrunc 2>/dev/null
is 'damaged IR' "heddle: $tmp/statistics.o: its IR is damaged" "$("$HEDDLE" static "$tmp/statistics.o" 2>&1)"
is 'another strategy' 'heddle: --static needs --strategy mcr, or deepen; leave it out, or add that' \
        "$("$HEDDLE" check --static on "$tmp/statistics" 2>&1)"
is 'no access there' 'heddle: no access is at statistics.c:1' "$("$HEDDLE" static --why statistics.c:1 "$tmp/statistics" 2>&1)"
is 'nonsense' 'heddle: --why needs a location such as file.c:12, not twelve' "$("$HEDDLE" static --why twelve "$tmp/statistics" 2>&1)"
is 'two outputs' 'heddle: --json, --dot and --why are three outputs; give one' \
        "$("$HEDDLE" static --json --dot "$tmp/statistics" 2>&1)"
is 'why not' 'statistics.c:19:22 read log_sequence: irrelevant, nothing that counts depends on it' \
        "$("$HEDDLE" static --why statistics.c:19:22 "$tmp/statistics")"
is 'why' 'statistics.c:39:14 read total: relevant (branch)
  -> statistics.c:39:14 write total (memory)
  -> statistics.c:52:9 branch (branch)' "$("$HEDDLE" static --why statistics.c:39 "$tmp/statistics" | grep -A 2 'read total')"

# Every mutation still compiles; in a long run each is noticed.
if [ "${1:-}" != --plain ]; then
        check=--check
        [ -z "${HEDDLE_TEST_LONG:-}" ] || check=
        # shellcheck disable=SC2086
        if "$here/mutate.sh" $check >"$tmp/mutations" 2>&1; then pass mutations; else fail mutations "$(grep -m 1 FAIL "$tmp/mutations")"; fi
fi
finish
