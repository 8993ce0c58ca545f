#!/bin/sh
# Do the tests notice a wrong verdict on races, or a wrong rule of deepening?  Arguments: tests/mutations.sh.
# shellcheck source=tests/mutations.sh
. "$(dirname "$0")/../mutations.sh"
mutants=mutants-races

noticed() {
        noticed_by "$@"
}

mutations_begin
mutations_units

# Verdicts.
mutation "no point is needed for a verdict" src/trace/race.c 's/!complete \|\| !r->points \|\|/!complete ||/' races figure_3a_sync
mutation "what was cut short is benign" src/trace/race.c 's/!complete \|\| !r->points/!r->points/' races figure_3a_limited
mutation "one order is as good as two" src/trace/race.c \
        's/r->orders == \(RACE_FORWARD \| RACE_BACKWARD\)/r->orders != 0/' races own_flag relaxed
mutation "a failing execution says nothing about its races" src/trace/race.c 's/if \(r->failing\)/if (false)/' races lost_update free
mutation "only the order of the first execution is known" src/verdict/race_table.c \
        's/res->races\[p->race\]\.orders \|= p->orders;/(void)res;/' races figure_3a own_flag

# Sets of preemption points.
mutation "the maximal set has no racing accesses" src/strategy/deepening/deepen_sets.c \
        's/ \&\& j->set\.n_sites == p->sites\.n;/;/' bugs lost_update account
mutation "a race seen in one order adds both accesses" src/strategy/deepening/deepen_sets.c 's/\(both \|\| i == early\)/true/' unit strategy/deepening/deepen_sets_test
mutation "a job adds what another one has shown only" src/strategy/deepening/deepen_sets.c \
        's/covered \|= has_site\(q, site\) \&\& contains\(q, now\);/covered |= has_site(q, site);/' unit strategy/deepening/deepen_sets_test
mutation "sets that contain a failing one are explored" src/strategy/deepening/deepen_sets.c \
        '/^void deepen_jobs_failed/,/^}/s/contains\(\&k->set, \&j->set\)/false/' unit strategy/deepening/deepen_sets_test
mutation "sets that were added later are not cancelled" src/strategy/deepening/deepen_sets.c \
        's/above_failing\(p, \&j->set\) \?/false ?/' unit strategy/deepening/deepen_sets_test
mutation "a completed set completes what contains it" src/strategy/deepening/deepen_sets.c \
        '/^void deepen_jobs_done/,/^}/s/contains\(\&j->set, \&k->set\)/contains(\&k->set, \&j->set)/' unit strategy/deepening/deepen_sets_test
mutation "what contains a suspended set is explored" src/strategy/deepening/deepen_sets.c \
        '/^static struct deepen_job \*pending/,/^}/s/ \|\| part_is_suspended\(p, j\)//' unit strategy/deepening/deepen_sets_test
mutation "a set is suspended at once" src/strategy/deepening/deepen_sets.c 's/j->runs < DEEPEN_PATIENCE/j->runs < 1/' unit strategy/deepening/deepen_sets_test
mutation "the maximal set comes last" src/strategy/deepening/deepen_sets.c \
        's/can \&\& \(!j \|\| busy \|\| p->proof_runs < p->runs - p->proof_runs\)/can \&\& !j/' unit strategy/deepening/deepen_sets_test
mutation "failures end the last search" src/strategy/deepening/deepen_sets.c \
        '/^void deepen_jobs_failed/,/^}/s/if \(j->to_end\)/if (false)/' unit strategy/deepening/deepen_sets_test
mutation "explorers do not tell their races" src/strategy/deepening/deepen_share.c \
        's/stream_put\(\&x->news, \&r, sizeof r\);/stream_reset(\&x->news);/' bugs lost_update account

# Busy waits.
mutation "a second loop is not checked" src/rt/loops/spin.c 's/came_before\(s, site\) \&\& \(!s->suspect \|\| \+\+s->repeats >= s->patience\)/came_before(s, site) \&\& !s->suspect/' litmus spin_two_waits
mutation "suspicion never settles" src/rt/loops/spin.c 's/s->suspect \? 2 \* s->patience : 1;/1;/' litmus spin_nested
mutation "a thread is watched for equally long each time" src/rt/sched/operation.c 's/t->spin.window \*= 2;/t->spin.window *= 1;/' litmus spin_long_round

mutations_end
