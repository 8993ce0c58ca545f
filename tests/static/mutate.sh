#!/bin/sh
# Does tests/static notice a broken rule of the analysis?  Kinds of dependences are left out by run.sh itself (edges.tsv).
# shellcheck source=tests/mutations.sh
. "$(dirname "$0")/../mutations.sh"
mutants=mutants-static

noticed() {
        HEDDLE=$tree/build/heddle BUILD=$tree/build sh tests/static/run.sh --plain >"$log" 2>&1 && return 1
        grep -m 1 '^FAIL' "$log" | cut -c 1-60
}

mutations_begin

mutation "a relevant access to the same bytes is forgotten" src/static/out/places.c 's/if \(!matters\(g, l, size\)\)/if (true)/'
mutation "unknown pointers do not lead to variables" src/static/out/places.c 's/\? c->objects\.at\[bytes\.object\]\.escaped/? false/'
mutation "an access counts by its place alone" src/program/irrelevant.c 's/if \(!p->variable \|\| \(.*$/if (true)/'
mutation "assembly names nothing" src/static/external.c 's/if \(!callee\)$/if (false)/'
mutation "characters of a file are no parts of pointers" src/static/calls.def "s/CALL\(fgetc, 'k'/CALL(fgetc, 'n'/"
mutation "printed pointers are not read again" src/static/external.c 's/if \(how != .s.\)$/if (false)/'
mutation "flags of floating-point operations are forgotten" src/static/external.c 's/p->environment = true/p->environment = false/'
mutation "a function of --final is not called" src/static/solve.c 's/ \|\| is_called\(f, called\)//'
mutation "a call accesses nothing in its place" src/static/out/places.c 's/\[SITE_CALL\] = "rwu"/[SITE_CALL] = ""/'

mutation "another body replaces that of the IR" src/static/whole.c 's/ == STB_GLOBAL \&\& / == STB_GLOBAL \&\& false \&\& /'
mutation "calls are not wrapped" src/static/whole.c 's/if \(pass_begins\(name, WRAP\) .*$/if (false)/'
mutation "code without a type is none" src/static/whole.c 's/type == STT_NOTYPE \?/false ?/'
mutation "a copy is as long as it is" src/static/calls.def 's/"l/"c/'
mutation "attributes are not read" src/static/calls.def "s/(pthread_mutex_init, 'n'), \"vr\"/\1, \"vv\"/"
mutation "unknown functions read no files" src/static/external.c 's/if \(sees_files\(call\)\)/if (false)/'

mutations_end
