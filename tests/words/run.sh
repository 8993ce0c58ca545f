#!/bin/sh
# scripts/check-words.sh and scripts/check-links.sh find a seeded fault of each kind, and nothing else.
cd "$(dirname "$0")/../.." || exit 3
words=$PWD/scripts/check-words.sh
links=$PWD/scripts/check-links.sh
how= # an option of check-words.sh
out=$(mktemp -d "${TMPDIR:-/tmp}/heddle-test.XXXXXX") || exit 3
trap 'rm -rf "$out"' EXIT

# tree FILE: an empty tree with this file, whose text is standard input.
tree() {
        rm -rf "$out/tree"
        mkdir -p "$out/tree/$(dirname "$1")"
        cat >"$out/tree/$1"
}

verdict() { # name, expected status, script, text to be printed
        "$3" $how "$out/tree" >"$out/log" 2>&1
        status=$?
        if [ "$status" = "$2" ] && { [ -z "$4" ] || grep -qF -- "$4" "$out/log"; }; then
                echo "PASS words/$1"
        else
                echo "FAIL words/$1: status $status, expected $2 and '$4': $(head -n 3 "$out/log" | tr '\n' ' ')"
        fi
}

finds() { # name, text to be printed; the file and its text as for tree
        tree "$3"
        verdict "$1" 1 "$words" "$2"
}

passes() { # name, file; standard input
        tree "$2"
        verdict "$1" 0 "$words" ''
}

# Every phrase of the list is found: the first alternative of each expression, in a literal.
sed -n '/^[^#+]/p' scripts/words.list | cut -f 1 | sed -E 's/\(([^()|]*)\|[^()]*\)/\1/g; s/\[a-z\]\+/thing/; s/\[0-9\]\[0-9\]/03/; s/,\?//; s/([a-z])\?/\1/g' |
        while read -r phrase; do
                printf 'const char *text = "it %s here";\n' "$phrase" | finds "phrase_$(echo "$phrase" | tr -c 'a-z0-9\n' _)" \
                        'src/a/b.c:1:' src/a/b.c
        done

finds literals '"go on"' src/a/b.c <<'END'
void f(void)
{
        puts("threads go "
             "on");
}
END
finds behind_comment 'src/a/b.c:3:' src/a/b.c <<'END'
/* a comment: 'x' and
 * "y" */
char c = '"'; const char *s = "it was told"; /* z */
END
finds numbers '"anew"' src/a/b.c <<'END'
fprintf(f, "%" PRIu64 " runs anew", n);
END
finds upper_case '"quick looks"' src/cli/option/options.def <<'END'
OPTION(CHECK, "x", NULL, SWITCH, x, "", "", "Quick looks at nothing")
END
finds over_lines '"in vain"' docs/PAGE.md <<'END'
Some executions run in
vain.
END
finds man_page '"is no schedule"' docs/man/heddle-x.1 <<'END'
.B x
is no
.B schedule
is no \fBschedule\fR
END
finds header 'include/heddle/x.h:1:' include/heddle/x.h <<'END'
/* Accesses that are not looked at. */
END
finds readme 'README.md:1:' README.md <<'END'
It goes round.
END
finds html 'page.html:1:' src/report/page.html <<'END'
<p>every continuation fails</p>
END
how=--comments
finds comment 'src/a/b.c:1: "in vain"' src/a/b.c <<'END'
/* The first line, and executions in
 * vain. */
END
finds comment_behind 'src/a/b.c:1: "whoever"' src/a/b.c <<'END'
int x; // whoever
END
finds comment_after_literal 'src/a/b.c:2: "told"' src/a/b.c <<'END'
const char *s = "fine"
        /* and told */ " too";
END
passes identifiers src/a/b.c <<'END'
int told, goes_on; /* goes_on */
const char *quoted = "a \" is"; /* no thing */
END
how=
passes comments src/a/b.c <<'END'
/* a thread that goes on is told anew, in vain */
int told; // whoever
END
passes assertions src/a/b.c <<'END'
_Static_assert(sizeof(int) == 4, "all can be told");
END
passes fine_phrases docs/PAGE.md <<'END'
There is no such file, and there are no others; it is no longer there. `x` stands for anything. Now there
are no others. A standing order was enfolded and retold.
END
tree src/op/op.def <<'END'
OP(LOOK, "looked at", NONE, MEMORY)
END
echo >"$out/tree/README.md"
verdict operations 0 "$words" ''
tree other/file </dev/null
verdict nothing_to_read 2 "$words" 'there is nothing to read'

broken() { # name, text to be printed; README.md is standard input, docs/PAGE.md has a heading
        tree README.md
        mkdir -p "$out/tree/docs"
        printf '# A page\n## The `first` part\n' >"$out/tree/docs/PAGE.md"
        verdict "$1" "$3" "$links" "$2"
}
echo 'See [a page](docs/NONE.md).' | broken link_missing 'README.md:1: there is no docs/NONE.md' 1
echo 'See [a page](docs/PAGE.md#second).' | broken anchor_missing 'docs/PAGE.md has no heading #second' 1
echo 'The file `src/a/none.c`.' | broken path_missing 'there is no src/a/none.c' 1
echo '[1](docs/PAGE.md) [2](docs/PAGE.md#the-first-part) [3](#x) [4](https://example.org/x)
# x
`docs/PAGE.md`, `tests/X/run.sh`, and `src/*/x.c`' | broken links_fine '' 0
