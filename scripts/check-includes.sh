#!/bin/sh
# The include graph.  A room of the explorer includes itself and the rooms before it in $order; the runtime includes base,
# wire, op and its own rooms.  Prints one line for each include that is not allowed; exit status 1 if there is any.
cd "$(dirname "$0")/.." || exit 3

order='base wire op config binary trace analysis hb strategy target program verdict engine parallel minimize report cli'
upwards=''

find src -name '*.[chS]' -o -name '*.def' | sort | xargs grep -nH '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' |
awk -F: -v order="$order" -v upwards="$(echo $upwards)" '
BEGIN {
        n = split(order, rooms, " ")
        for (i = 1; i <= n; i++)
                rank[rooms[i]] = i
        n = split(upwards, edges, " ")
        for (i = 1; i <= n; i++)
                allowed[edges[i]] = 1
        n = split("rt>base rt>wire rt>op instrument>base", edges, " ")
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
        below = (room in rank) && (target[1] in rank) && rank[target[1]] < rank[room]
        if (target[1] != room && target[1] != "heddle" && !below && !((room ">" target[1]) in allowed)) {
                printf "%s:%s: %s/ must not include \"%s\"\n", $1, $2, room, quoted[2]
                bad = 1
        }
}
END { exit bad }'
