# Compares an expect file (run.sh says what stands in it) with a report flattened by json.awk, and prints what differs,
# empty if nothing does.  Variables: status, the exit status; strategy, for dfs the counts are not compared.
BEGIN {
        split("source compiler flags options args variant dfs replay message", words, " ")
        for (i in words)
                control[words[i]] = 1
}

NR == FNR {
        space = index($0, " ")
        key = substr($0, 1, space - 1)
        value = substr($0, space + 1)
        if (/^#/ || /^$/ || key in control || (strategy == "dfs" && key !~ /^(exit|verdict|kind|outcome)$/))
                next
        if (key == "outcome")
                expected[value] = 1
        else
                wanted[key] = value
        n_outcomes += key == "outcome"
        next
}

{ actual[$1] = $2 }

$1 ~ /^failures\.[0-9]+\.kind$/ { n_failures++ }

$1 ~ /^outcomes\.[0-9]+\.state\./ {
        split($1, part, ".")
        name = substr($1, length("outcomes..state.") + length(part[2]) + 1)
        before = part[2] in state ? state[part[2]] "," : ""
        state[part[2]] = before name "=" $2
}

function differs(what, value, is) {
        if (value != is)
                why = why (why == "" ? "" : "; ") what " is " (is == "" ? "missing" : is) ", not " value
}

END {
        for (key in wanted) {
                if (key == "exit")
                        differs("exit status", wanted[key], status)
                else if (key == "kind")
                        differs("kind", wanted[key], actual["failures.0.kind"])
                else if (key == "failures")
                        differs("number of failures", wanted[key], n_failures + 0)
                else
                        differs(key, wanted[key], actual[key])
        }
        if (n_outcomes > 0) {
                for (i in state) {
                        if (!(state[i] in expected))
                                extra = extra " " state[i]
                        reached[state[i]] = 1
                }
                for (value in expected)
                        if (!(value in reached))
                                missing = missing " " value
                if (missing extra != "")
                        why = why (why == "" ? "" : "; ") "outcomes" (missing == "" ? "" : " missing:" missing) \
                                (extra == "" ? "" : " unexpected:" extra)
        }
        print why
}
