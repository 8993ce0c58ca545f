#!/bin/sh
# The include graph.  A room of the explorer includes itself and the rooms before it in $order; the runtime includes base,
# wire, op and its own rooms, and of rt/weak (the memory models) mm.h alone; the instrumenter base and wire.  Modules (X.c and X.h) do not include each other
# in cycles.  Prints one line for each include that is not allowed and for each cycle; exit status 1 if there is any.
cd "$(dirname "$0")/.." || exit 3

order='base wire op config binary trace analysis hb smt strategy target program record verdict engine parallel minimize report cli'

includes=$(find src -name '*.[chS]' -o -name '*.def' | sort | xargs grep -nH '^[[:space:]]*#[[:space:]]*include[[:space:]]*"')
status=0

printf '%s\n' "$includes" | awk -F: -v order="$order" '
BEGIN {
        n = split(order, rooms, " ")
        for (i = 1; i <= n; i++)
                rank[rooms[i]] = i
        n = split("rt>base rt>wire rt>op instrument>base instrument>wire static>base static>instrument", edges, " ")
        for (i = 1; i <= n; i++)
                allowed[edges[i]] = 1
}
{
        split($1, path, "/")
        room = path[2]
        split($3, quoted, "\"")
        if (split(quoted[2], target, "/") == 1) {
                printf "%s:%s: \"%s\": name the folder, as in \"%s/%s\"\n", $1, $2, quoted[2], room, quoted[2]
                bad = 1
                next
        }
        if (quoted[2] ~ /^rt\/weak\// && quoted[2] !~ /\/(mm|weak_state|above)\.h$/ && $1 !~ /^src\/rt\/weak\//) {
                printf "%s:%s: include \"rt/weak/mm.h\", not \"%s\"\n", $1, $2, quoted[2]
                bad = 1
        }
        below = (room in rank) && (target[1] in rank) && rank[target[1]] < rank[room]
        if (target[1] != room && target[1] != "heddle" && !below && !((room ">" target[1]) in allowed)) {
                printf "%s:%s: %s/ must not include \"%s\"\n", $1, $2, room, quoted[2]
                bad = 1
        }
}
END { exit bad }' || status=1

# Pairs of modules, of which the first includes the second; tsort tells of a loop in as many lines as it has modules.
printf '%s\n' "$includes" | awk -F: '
{
        from = $1
        sub(/^src\//, "", from)
        sub(/\.[a-zA-Z]*$/, "", from)
        split($3, quoted, "\"")
        to = quoted[2]
        if (!sub(/\.h$/, "", to) || from == to)
                next
        print from, to
}' | tsort 2>&1 >/dev/null | awk '
/input contains a loop/ { if (loop) print loop; loop = "cycle:"; bad = 1; next }
{ loop = loop " " $NF }
END { if (loop) print loop; exit bad }' || status=1

exit $status
