#!/bin/sh
# Memory models: random programs beside the reference model, and the programs of litmus.tsv with their known verdicts.
#
#     run.sh [long] [option of compare ...]       tests/amount.sh says how many
#
# PART=random, PART=litmus or PART=report runs one part only.
# Seconds: 65
set -u
# shellcheck source=tests/amount.sh
. "$(dirname "$0")/../amount.sh"
[ -n "${HEDDLE_TEST_LONG:-}" ] || programs=$((programs / 2)) # each one under every memory model
PART=${PART:-all}
dir=$BUILD/memory

[ "$PART" = report ] || tests/memory/build.sh "$dir" || exit 3
status=0
memories=$(tests/memory/memories.sh "$HEDDLE")
if [ "$PART" = all ] || [ "$PART" = random ]; then
        "$dir/compare" --heddle "$HEDDLE" --dir "$dir" --seed "$SEED" --programs "$programs" --memory "$memories" "$@" ||
                status=1
        HEDDLE_COMPILER=gcc "$dir/compare" --heddle "$HEDDLE" --dir "$dir" --seed "$SEED" --programs $((programs / 8)) \
                --memory "$memories" "$@" || status=1
fi
if [ "$PART" = all ] || [ "$PART" = litmus ]; then
        HEDDLE=$HEDDLE tests/memory/litmus.sh "$memories" || status=1
fi
if [ "$PART" = all ] || [ "$PART" = report ]; then
        HEDDLE=$HEDDLE tests/memory/report.sh || status=1
fi
# shellcheck disable=SC2086
HEDDLE=$HEDDLE BUILD=$BUILD tests/memory/mutate.sh $mutations || status=1
# Programs without racy accesses have as many executions as under sc.
if [ "$PART" = all ]; then
        for memory in $(echo "$memories" | tr , ' ' | sed 's/^sc//'); do
                HEDDLE=$HEDDLE OPTIONS="--memory $memory" tests/programs/run.sh philosophers_6 philosophers_5_deadlock readers_8 \
                        lastzero_7 mutex_counter_3x3 philosophers_waiter_5 philosophers_seats_3 producer_consumer_5_slots_3 \
                        readers_writer_fifo_2+1 forks_semaphores_5_deadlock broadcast_lost_3 account_3 filesystem_16 \
                        rwlock_4 barrier_10 || status=1
        done
fi
exit $status
