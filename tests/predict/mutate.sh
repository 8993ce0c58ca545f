#!/bin/sh
# Do the tests notice a wrong rule of prediction?  Arguments: tests/mutations.sh.
# shellcheck source=tests/mutations.sh
. "$(dirname "$0")/../mutations.sh"
mutants=mutants-predict

noticed() {
        noticed_by "$@"
}

mutations_begin
mutations_units
traces='unit strategy/predict/generated_test'
kinds='unit strategy/predict/predictions_test'

# What a node needs.
# shellcheck disable=SC2086
mutation "a read does not need its write" src/strategy/predict/model.c 's/need\(m, e->actor, \*w\);/;/' $traces
# shellcheck disable=SC2086
mutation "an update does not read" src/strategy/predict/model.c 's/ \|\| op_has\(e->op, OPF_LOOKS\);/;/' $traces
# shellcheck disable=SC2086
mutation "a trylock may fail whatever the lock" src/strategy/predict/model.c \
        '/takes \&\& !op_took/,/return/s/need\(m, e->actor, o->last\);/;/' $traces
# shellcheck disable=SC2086
mutation "a thread need not be created" src/strategy/predict/model.c 's/m->wakes\.at\[e->choice\] = node \+ 1;/;/' $kinds
# shellcheck disable=SC2086
mutation "a join does not wait" src/strategy/predict/model.c 's/need\(m, e->actor, m->tops\.at\[e->choice\]\);/;/' $kinds
# shellcheck disable=SC2086
mutation "other objects keep no order" src/strategy/predict/model.c 's/o->chain = o->last = node \+ 1;/;/' $kinds

# Closures.
# shellcheck disable=SC2086
mutation "an earlier section may stay open" src/strategy/predict/closure.c 's/acquire > s->acquire\)/acquire > MODEL_NONE - 1)/' $traces
# shellcheck disable=SC2086
mutation "readers keep each other out" src/strategy/predict/closure.c 's/if \(k \&\& s->shared\)/if (0)/' $traces
# shellcheck disable=SC2086
mutation "readers keep nothing out" src/strategy/predict/closure.c 's/k = m->sections\.at\[k - 1\]\.exclusive;/k = 0;/' $traces
# shellcheck disable=SC2086
mutation "threads are closed once" src/strategy/predict/closure.c 's/grown \|= r;/;/' $traces

# Predictions.
# shellcheck disable=SC2086
mutation "only the first access at a location is considered" src/strategy/predict/conflicts.c \
        's/at = c->accesses\.at\[at - 1\]\.next\) \{/at = 0) {/' $kinds
# shellcheck disable=SC2086
mutation "the accesses of a race come in the order of the trace" src/strategy/predict/conflicts.c 's/\.last = \{e2, e1\},/.last = {e1, e2},/' $kinds
# shellcheck disable=SC2086
mutation "only the first acquires of a cycle are tried" src/strategy/predict/cycles.c 's/at = c->next\.at\[at - 1\];/at = 0;/' $kinds
# shellcheck disable=SC2086
mutation "a trylock can wait" src/strategy/predict/cycles.c 's/ \|\| !op_blocks\(event_of\(m, s\)->op\)//' $kinds
# shellcheck disable=SC2086
mutation "two serial accesses violate atomicity" src/strategy/predict/conflicts.c \
        's/return between \? !first \|\| !last : first \&\& last;/return true;/' $kinds

# Guesses.
# shellcheck disable=SC2086
mutation "sections that write little wait first" src/strategy/predict/postpone.c 's/x->writes < y->writes \? -1 : 1/x->writes < y->writes ? 1 : -1/' $kinds

# Windows.
mutation "a state without steps is not a deadlock" src/strategy/predict/window.c 's/^ +stuck\(w\);/;/' predict JOINED:deadlock
mutation "no operation gets another result" src/strategy/predict/window.c 's/^ +value\(w, f->thread\);/;/' predict VALUE:value
mutation "windows have no races" src/strategy/predict/window.c 's/^ +races\(w\);/;/' predict flipped
mutation "one long execution ends all windows" src/strategy/predict/window.c 's/w->unlearnt = t->n_events > LONGEST;/w->off |= w->unlearnt = t->n_events > LONGEST;/' \
        unit strategy/predict/window_test
mutation "stores stay in their buffers" src/strategy/predict/window.c 's/!f->only && find_flush\(w, f\)/false/' predict buffered
mutation "a value is predicted once for each operation" src/strategy/predict/window.c \
        's/hash_mix\(hash_mix\(hash_mix\(7, n->site\), at\), w->machine\.unseen\)/hash_mix(hash_mix(7, n->site), at)/' predict ordered
mutation "a window has no end" src/strategy/predict/window.c 's/uint32_t length = w->config->window \? w->config->window : LENGTH/uint32_t length = LENGTH/' predict ordered

# Parts and storage.
mutation "all workers draw from one seed" src/strategy/draws.c 's/d->part \? hash_mix\(d->seed, d->part\) : d->seed/d->seed/' unit strategy/persist_test
mutation "every worker runs what all of them are to run" src/strategy/draws.c 's,d->budget / d->parts \+ \(d->part < d->budget % d->parts\),d->budget,' \
        unit strategy/persist_test
mutation "a stored prediction may name any pair" src/strategy/predict/forecast.c 's/\(f->pair >= pairs \&\& f->pair != MODEL_NONE\)/false/' \
        unit strategy/predict/stored_test
mutation "predictions that wait are not stored" src/strategy/predict/forecast.c 's/stream_put_u32\(out, n - next\);/n = next; stream_put_u32(out, 0);/' \
        unit strategy/predict/stored_test
mutation "figures are counted again after they were stored" src/trace/prediction.c 's/\*from = left;/;/' unit strategy/predict/stored_test

mutations_end
