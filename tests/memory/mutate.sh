#!/bin/sh
# Does the comparison with the reference model notice a wrong memory model?  Breaks one rule of the store buffers at a time,
# in a copy of the tree, and compares until there is a difference, for at most 500 programs.  Arguments:
# tests/mutations.sh.
# shellcheck source=tests/mutations.sh
. "$(dirname "$0")/../mutations.sh"
SEED=${SEED:-501}
mutants=memory-mutants

compare() { # MEMORIES: with the mutated tree; the programs stay as they are
        "$dir/compare" --reuse --stop --heddle "$tree/build/heddle" --build-with "$HEDDLE" --dir "$dir/programs" \
                --seed "$SEED" --programs 500 --memory "$1"
}

noticed() { # MEMORY
        compare "$1" >"$log" 2>&1
        first_difference memory
}

# NAME FILE SED-SCRIPT: noticed under this memory.
sc() { mutation "$@" sc; }
tso() { mutation "$@" tso; }
pso() { mutation "$@" pso; }

mutations_begin
if [ -z "$check" ]; then # the certainty that what is found is found because of the mutation
        mkdir -p "$dir/programs"
        tests/memory/build.sh "$dir" || exit 3
        compare sc,tso,pso >"$dir/0.log" 2>&1 || {
                echo "FAIL mutate: there are differences without any mutation, see $dir/0.log"
                exit 1
        }
fi

# What a thread sees.
tso "a thread does not see its own pending stores" src/rt/weak/buffer.c \
        '/^void buffer_put_in/,/^}/s/copy\(memory\(&b->at\[i\]\), b->at\[i\]\.now/copy(b->at[i].now, b->at[i].now/'
tso "others see what is pending" src/rt/weak/buffer.c \
        '/^void buffer_take_out/,/^}/s/copy\(memory/if (false) copy(memory/'
tso "stores are taken out from the oldest to the newest" src/rt/weak/buffer.c \
        '/^void buffer_take_out/,/^}/s/uint32_t i = b->n; i-- > 0;/uint32_t i = 0; i < b->n; i++/'

# When stores reach memory.
tso "the newest store is flushed first" src/rt/weak/weak.c \
        '/^static void show_next/,/^}/s/uint32_t i = 0;/uint32_t i = m->n ? m->n - 1 : 0;/'
tso "a fence does not wait" src/op/op.def '/^OP\(FENCE,/s/DRAINS_ORDER/NO_DRAIN/'
tso "a sequentially consistent store does not wait" src/op/op.def '/^OP\(STORE,/s/DRAINS_ORDER/NO_DRAIN/'
tso "an atomic update does not wait" src/op/op.def '/^OP\(RMW,/s/DRAINS/NO_DRAIN/'
tso "a compare-and-swap does not wait" src/op/op.def '/^OP\(CAS,/s/DRAINS/NO_DRAIN/'
tso "pthread_create does not wait" src/op/op.def '/^OP\(CREATE,/s/DRAINS/NO_DRAIN/'
tso "unlocking a mutex does not wait" src/op/op.def '/^OP\(MUTEX_UNLOCK,/s/DRAINS/NO_DRAIN/'
tso "every store waits" src/rt/weak/weak.c \
        's/if \(t->section.atomic \|\| t->weak.drains/if (true || t->section.atomic || t->weak.drains/'
tso "a join does not wait for the buffer" src/rt/sched/enabled.h \
        '/^static inline bool thread_has_ended/,/^}/s/ && mm_is_drained\(&t->weak\)//'

# Equivalence.
tso "a load of the own store is a read of memory" src/rt/weak/load.c \
        '/^uint32_t weak_read_mode/,/^}/s/WIRE_MODE_NONE : WIRE_MODE_READ/WIRE_MODE_READ : WIRE_MODE_READ/'
tso "a load of the own store is never a read" src/hb/store_buffers.c \
        '/^bool buffered_reads/,/^}/s/s \? s->loads : CAUSALITY_NONE/CAUSALITY_NONE/'
tso "a flush may come before what precedes its store" src/hb/store_buffers.c \
        '/^void buffered_flush/,/^}/s/if \(s->last != CAUSALITY_NONE\)/if (false)/'
tso "what waits for the buffer is not ordered by it" src/hb/store_buffers.c \
        '/^void buffered_drained/,/^}/s/if \(c->actors\[b - 1\]\.last != CAUSALITY_NONE\)/if (false)/'
tso "a thread's loads race with its own flushes" src/hb/store_buffers.h \
        's/return c->actors\[a\]\.owner == b \+ 1 \|\| c->actors\[b\]\.owner == a \+ 1;/return (void)c, (void)a, (void)b, false;/'
tso "what was forwarded to a sleeper does not matter, in the target" src/rt/weak/weak.c \
        '/^bool weak_wakes/,/^}/s/return thread_is_buffer/return false \&\& thread_is_buffer/'

# Copies.
sc "a copy is one step" src/rt/copy/step.c \
        '/^bool step_begin/,/^}/s/return true;/return access_parts(part, n, site), false;/'
sc "a copy writes a word before it has read it" src/rt/copy/range.c \
        '/^static void copy_up/,/^}/s/got < at \+ size/got < at/'
sc "a copy goes down" src/rt/copy/range.c \
        's/\(uintptr_t\)dst <= \(uintptr_t\)src \|\| //'
sc "a comparison reads on" src/rt/copy/work.c \
        '/^size_t work_compare/,/^}/s/return n;/(void)n;/'

# Plain accesses of two words.
sc "a store of two words is one step" src/rt/memory/torn.c \
        's/t->section.atomic \|\| \(op == OP_WRITE && mm_is_weak\(\)\)/t->section.atomic || op == OP_WRITE/'
sc "a load of two words is one step" src/rt/memory/torn.c \
        's/t->section.atomic \|\| \(op == OP_WRITE && mm_is_weak\(\)\)/t->section.atomic || op == OP_READ/'
sc "a load of two words finds what is there afterwards" src/rt/memory/torn.c \
        '/^static bool put_in/,/^}/s/bytes_copy\(\(void \*\)addr, got, size\);//'
tso "a store of two words reaches memory as a whole" src/rt/weak/weak.c \
        '/^static bool is_one/,/^}/s/op != OP_WRITE/true/'

# The order of stores under pso.
pso "a release store overtakes" src/rt/weak/weak.c \
        's/op == OP_STORE && t->weak.order >= __ATOMIC_RELEASE/false/'
pso "a release fence orders nothing" src/rt/weak/weak.c \
        '/^void weak_fence/,/^}/s/order == __ATOMIC_RELEASE \|\| order == __ATOMIC_ACQ_REL/false/'
pso "stores that overlap may be reordered" src/rt/weak/buffer.c \
        '/^bool buffer_stays_behind/,/^}/s/ \|\| buffer_overlap\(&b->at\[k\], s->addr, s->size\)//'
pso "stores are never reordered" src/rt/weak/buffer.c \
        '/^bool buffer_stays_behind/,/^}/s/buffer_overlap\(&b->at\[k\], s->addr, s->size\)/true/'

mutations_end
