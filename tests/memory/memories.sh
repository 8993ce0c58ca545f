#!/bin/sh
# memories.sh HEDDLE: the memory models that it knows, with commas between.
printf sc
for memory in tso pso; do
        "$1" check --memory "$memory" /bin/true 2>&1 | grep -q 'not available' || printf ',%s' "$memory"
done
echo
