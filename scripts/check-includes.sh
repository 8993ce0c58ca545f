#!/bin/sh
# The include graph: a module includes base, wire, op, trace and its own folder, plus what is listed here for it.
# Prints one line for each include that is not allowed; exit status 1 if there is any.
cd "$(dirname "$0")/.." || exit 3

find src -name '*.[chS]' -o -name '*.def' | sort | xargs grep -nH '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' |
awk -F: '
BEGIN {
        common = " base wire op trace "
        more["rt"] = " mm "
        more["explore"] = " analysis "
        more["cli"] = " explore report analysis "
        alone["base"] = " base "
        alone["wire"] = " base wire "
        alone["op"] = " base wire op "
}
{
        split($1, path, "/")
        module = path[2]
        split($3, quoted, "\"")
        n = split(quoted[2], target, "/")
        if (n == 1) {
                printf "%s:%s: \"%s\": say the folder, as in \"%s/%s\"\n", $1, $2, quoted[2], module, quoted[2]
                bad = 1
                next
        }
        allowed = (module in alone) ? alone[module] : common more[module] " " module " "
        if (target[1] != "heddle" && index(allowed, " " target[1] " ") == 0) {
                printf "%s:%s: %s/ must not include \"%s\"\n", $1, $2, module, quoted[2]
                bad = 1
        }
}
END { exit bad }'
