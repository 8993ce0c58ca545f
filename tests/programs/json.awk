# Prints a JSON text as one line per leaf, "path<TAB>value": .failures[0].where.line is failures.0.where.line, an empty
# list or object has the value "[]" or "{}".  Strings lose their quotes; a control character in one becomes a space.
{ text = text $0 " " }

function fail(what) {
        print "json: " what " at " substr(text, 1, 40) > "/dev/stderr"
        bad = 1
        exit 1
}

function blank() { sub(/^[ \t\r\n]+/, "", text) }

function string(    out, c) {
        text = substr(text, 2)
        out = ""
        while (match(text, /^[^"\\]+/) || substr(text, 1, 1) == "\\") {
                if (substr(text, 1, 1) == "\\") {
                        c = substr(text, 2, 1)
                        text = substr(text, c == "u" ? 7 : 3)
                        out = out (c ~ /["\\\/]/ ? c : " ")
                } else {
                        out = out substr(text, 1, RLENGTH)
                        text = substr(text, RLENGTH + 1)
                }
        }
        if (substr(text, 1, 1) != "\"")
                fail("unfinished string")
        text = substr(text, 2)
        return out
}

function members(path, begin, shut,    n, key) {
        text = substr(text, 2)
        blank()
        if (substr(text, 1, 1) == shut) {
                text = substr(text, 2)
                print path "\t" begin shut
                return
        }
        for (n = 0; ; n++) {
                blank()
                key = n
                if (begin == "{") {
                        key = string()
                        blank()
                        if (substr(text, 1, 1) != ":")
                                fail("no colon")
                        text = substr(text, 2)
                }
                value(path == "" ? key : path "." key)
                blank()
                if (substr(text, 1, 1) == shut) {
                        text = substr(text, 2)
                        return
                }
                if (substr(text, 1, 1) != ",")
                        fail("no comma")
                text = substr(text, 2)
        }
}

function value(path,    c) {
        blank()
        c = substr(text, 1, 1)
        if (c == "{") {
                members(path, "{", "}")
        } else if (c == "[") {
                members(path, "[", "]")
        } else if (c == "\"") {
                print path "\t" string()
        } else if (match(text, /^[-+.a-zA-Z0-9]+/)) {
                c = substr(text, 1, RLENGTH)
                text = substr(text, RLENGTH + 1)
                print path "\t" c
        } else {
                fail("no value")
        }
}

END {
        if (bad)
                exit 1
        value("")
        blank()
        if (text != "")
                fail("something after the value")
}
