#!/bin/sh
# Does the comparison with the reference model notice a wrong memory model?  Breaks one rule of the store buffers at a time,
# in a copy of the tree, and compares until there is a difference, for at most 500 programs.
#
#     mutate.sh [NUMBER ...]      only these mutations; SOURCE is the tree to break
#
# Prints a table: the mutation, and after how many programs it was caught.
set -u
cd "$(dirname "$0")/../.." || exit 3
BUILD=${BUILD:-build}
HEDDLE=${HEDDLE:-$BUILD/heddle}
SEED=${SEED:-501}
SOURCE=${SOURCE:-.}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
case $HEDDLE in /*) ;; *) HEDDLE=$PWD/$HEDDLE ;; esac
dir=$BUILD/memory-mutants
tree=$dir/tree
only=" $* "
number=0
missed=0
caught=0

rm -rf "$tree"
mkdir -p "$tree" "$dir/programs"
cp -a "$SOURCE/Makefile" "$SOURCE/src" "$SOURCE/include" "$tree"
tests/memory/build.sh "$dir" || exit 3
# Built once, and only what a mutation touches afterwards.
make -s -C "$tree" BUILD=build WERROR= -j2 all >"$dir/make.log" 2>&1 || {
        echo "FAIL mutate: the copy of the tree cannot be built, see $dir/make.log"
        exit 1
}
memories=$(tests/memory/memories.sh "$tree/build/heddle")

# compare MEMORIES: with the mutated tree; the programs stay as they are.
compare() {
        "$dir/compare" --reuse --stop --heddle "$tree/build/heddle" --build-with "$HEDDLE" --dir "$dir/programs" \
                --seed "$SEED" --programs 500 --memory "$1"
}
# The certainty that what is found is found because of the mutation.
if ! compare "$memories" >"$dir/0.log" 2>&1; then
        echo "FAIL mutate: there are differences without any mutation, see $dir/0.log"
        exit 1
fi

# mutation MEMORY NAME FILE SED-SCRIPT: the script must change the file; MEMORY is where it must be noticed.
mutation() {
        number=$((number + 1))
        case $only in
        '  ' | *" $number "*) ;;
        *) return ;;
        esac
        case ",$memories," in *",$1,"*) ;; *) return ;; esac
        file=$tree/$3
        cp -p "$file" "$dir/original"
        sed -E "$4" "$dir/original" >"$file"
        if cmp -s "$file" "$dir/original"; then
                echo "FAIL mutation $number: $2: changes nothing in $3"
                missed=$((missed + 1))
        elif ! make -s -C "$tree" BUILD=build WERROR= -j2 all >"$dir/make.log" 2>&1; then
                echo "FAIL mutation $number: $2: cannot be built, see $dir/make.log"
                missed=$((missed + 1))
        else
                compare "$1" >"$dir/$number.log" 2>&1
                after=$(sed -n 's/^memory: first difference after \([0-9]*\) programs$/\1/p' "$dir/$number.log")
                if [ -n "$after" ]; then
                        printf 'PASS mutation %2d: %-58s caught after %3d programs\n' "$number" "$2" "$after"
                        caught=$((caught + 1))
                else
                        echo "FAIL mutation $number: $2: not noticed, see $dir/$number.log"
                        missed=$((missed + 1))
                fi
        fi
        cp "$dir/original" "$file"
}

# What a thread sees.
mutation tso "a thread does not see its own pending stores" src/mm/buffer.c \
        '/^void mm_put_in/,/^}/s/copy\(memory\(&b->at\[i\]\), b->at\[i\]\.now/copy(b->at[i].now, b->at[i].now/'
mutation tso "others see what is pending" src/mm/buffer.c \
        '/^void mm_take_out/,/^}/s/copy\(memory/if (false) copy(memory/'
mutation tso "stores are taken out from the oldest to the newest" src/mm/buffer.c \
        '/^void mm_take_out/,/^}/s/uint32_t i = b->n; i-- > 0;/uint32_t i = 0; i < b->n; i++/'

# When stores reach memory.
mutation tso "the newest store is flushed first" src/rt/weak.c \
        '/^static void show_next/,/^}/s/uint32_t i = 0;/uint32_t i = m->n ? m->n - 1 : 0;/'
mutation tso "a fence does not wait" src/rt/weak.c \
        's/(t->drains = t->undrained && )/\1op != OP_FENCE \&\& /'
mutation tso "a sequentially consistent store does not wait" src/rt/weak.c \
        's/(t->drains = t->undrained && )/\1op != OP_STORE \&\& /
         s/op != OP_STORE \|\| t->order == __ATOMIC_SEQ_CST/op != OP_STORE/'
mutation tso "an atomic update does not wait" src/rt/weak.c \
        's/(t->drains = t->undrained && )/\1op != OP_RMW \&\& /'
mutation tso "a compare-and-swap does not wait" src/rt/weak.c \
        's/(t->drains = t->undrained && )/\1op != OP_CAS \&\& /'
mutation tso "pthread_create does not wait" src/rt/weak.c \
        's/(t->drains = t->undrained && )/\1op != OP_CREATE \&\& /'
mutation tso "unlocking a mutex does not wait" src/rt/weak.c \
        's/(t->drains = t->undrained && )/\1op != OP_MUTEX_UNLOCK \&\& /'
mutation tso "every store waits" src/rt/weak.c \
        's/if \(t->atomic_depth \|\| t->drains/if (true || t->atomic_depth || t->drains/'
mutation tso "a join does not wait for the buffer" src/rt/sched.c \
        's/ && !threads\[p->peer\]\.buffered//'

# Equivalence.
mutation tso "a load of the own store is a read of memory" src/rt/weak.c \
        '/^uint32_t weak_read_mode/,/^}/s/WIRE_MODE_NONE : WIRE_MODE_READ/WIRE_MODE_READ : WIRE_MODE_READ/'
mutation tso "a load of the own store is never a read" src/explore/buffered.c \
        '/^bool buffered_reads/,/^}/s/s \? s->loads : CAUSALITY_NONE/CAUSALITY_NONE/'
mutation tso "a flush may come before what precedes its store" src/explore/buffered.c \
        '/^void buffered_flush/,/^}/s/if \(s->last != CAUSALITY_NONE\)/if (false)/'
mutation tso "what waits for the buffer is not ordered by it" src/explore/buffered.c \
        '/^void buffered_drained/,/^}/s/if \(c->actors\[b - 1\]\.last != CAUSALITY_NONE\)/if (false)/'
mutation tso "a thread's loads race with its own flushes" src/explore/buffered.h \
        's/return c->actors\[a\]\.owner == b \+ 1 \|\| c->actors\[b\]\.owner == a \+ 1;/return (void)c, (void)a, (void)b, false;/'
mutation tso "what was forwarded to a sleeper does not matter, in the target" src/rt/weak.c \
        '/^bool weak_wakes/,/^}/s/return done->actor != b->id/return false \&\& done->actor != b->id/'

# The order of stores under pso.
mutation pso "a release store overtakes" src/rt/weak.c \
        's/op == OP_STORE && t->order >= __ATOMIC_RELEASE/false/'
mutation pso "a release fence orders nothing" src/rt/weak.c \
        '/^void weak_fence/,/^}/s/order == __ATOMIC_RELEASE \|\| order == __ATOMIC_ACQ_REL/false/'
mutation pso "stores that overlap may be reordered" src/mm/buffer.c \
        '/^bool mm_stays_behind/,/^}/s/ \|\| overlap\(&b->at\[k\], s->addr, s->size\)//'
mutation pso "stores are never reordered" src/mm/buffer.c \
        '/^bool mm_stays_behind/,/^}/s/overlap\(&b->at\[k\], s->addr, s->size\)/true/'

echo "mutations: $caught caught, $missed not"
[ "$missed" = 0 ]
